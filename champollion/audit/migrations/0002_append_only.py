from django.db import migrations

from champollion.audit import triggers


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]

    operations = [migrations.RunPython(triggers.create, triggers.drop)]
