from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "champollion.audit"
    label = "audit"
    verbose_name = "Audit log"
