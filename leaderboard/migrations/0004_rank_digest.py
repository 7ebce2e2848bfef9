from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0003_document_parts"),
    ]

    operations = [
        migrations.AddField(
            model_name="standing",
            name="rank_digest",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="cutstanding",
            name="rank_digest",
            field=models.CharField(blank=True, max_length=64),
        ),
    ]
