from django.db import migrations

from corpora import triggers


class Migration(migrations.Migration):
    dependencies = [("corpora", "0001_initial")]

    operations = [migrations.RunPython(triggers.create, triggers.drop)]
