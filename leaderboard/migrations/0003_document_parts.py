import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("leaderboard", "0002_standing_has_generated_ratings"),
    ]

    operations = [
        migrations.CreateModel(
            name="DocumentPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("index", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="leaderboard.document"
                    ),
                ),
            ],
            options={"ordering": ["index"]},
        ),
        migrations.AddConstraint(
            model_name="documentpart",
            constraint=models.UniqueConstraint(fields=("document", "index"), name="document_part_unique"),
        ),
    ]
