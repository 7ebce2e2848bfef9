from django.db import migrations

from review import triggers


class Migration(migrations.Migration):
    dependencies = [("review", "0001_initial")]

    operations = [migrations.RunPython(triggers.create, triggers.drop)]
