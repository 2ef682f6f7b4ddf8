"""The DNS part of the provider's API on a stock Django REST Framework: what Debian's package answers by itself, nothing imitated.

python3 drf.py PORT FOLDER [RATE]: serves on loopback until it is ended, with its database in FOLDER, and takes RATE
requests of a key, such as 5/min.
"""

import sys
from pathlib import Path

import django
from django.conf import settings

port, folder, rate = sys.argv[1], Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "100000/min"

settings.configure(
    DEBUG=False,
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="only for this test",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "drf.db")}},
    INSTALLED_APPS=["rest_framework"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    USE_TZ=True,
    REST_FRAMEWORK={
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    },
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.core.validators import MinValueValidator  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import include, path  # noqa: E402
from rest_framework import mixins, routers, serializers, viewsets  # noqa: E402
from rest_framework.authentication import BaseAuthentication  # noqa: E402
from rest_framework.pagination import PageNumberPagination  # noqa: E402
from rest_framework.permissions import IsAuthenticated  # noqa: E402
from rest_framework.throttling import SimpleRateThrottle  # noqa: E402

KEY = "CANARY12.0123456789abcdef0123456789abcdef"
TTLS = [120, 300, 600, 900, 1800, 3600, 7200, 18000, 43200, 86400]
TYPES = ["A", "AAAA", "CAA", "CNAME", "MX", "NS", "SRV", "TXT"]


class Domain(models.Model):
    class Meta:
        app_label = "dns"

    name = models.CharField(max_length=128, primary_key=True)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)


class Entry(models.Model):
    class Meta:
        app_label = "dns"

    domain = models.ForeignKey(Domain, related_name="entry_set", on_delete=models.CASCADE)
    host = models.CharField(max_length=255, blank=True, default="")
    type = models.CharField(max_length=5, choices=[(one, one) for one in TYPES])
    prio = models.PositiveIntegerField(null=True, blank=True, validators=[MinValueValidator(0)])
    value = models.CharField(max_length=1024)
    ttl = models.PositiveIntegerField(null=True, blank=True, choices=[(one, one) for one in TTLS])


class EntrySerializer(serializers.ModelSerializer):
    class Meta:
        model = Entry
        fields = ["id", "host", "type", "prio", "value", "ttl"]


class DomainSerializer(serializers.ModelSerializer):
    class Meta:
        model = Domain
        fields = ["name", "created", "updated", "entry_set", "tags", "ip"]

    entry_set = EntrySerializer(many=True, read_only=True)
    tags = serializers.ReadOnlyField(default=[])
    ip = serializers.IPAddressField(protocol="IPv4", write_only=True)

    def create(self, data):
        ip = data.pop("ip")
        domain = super().create(data)
        domain.entry_set.create(type="A", value=ip)
        return domain


class Authentication(BaseAuthentication):
    def authenticate(self, request):
        user = type("User", (), {"is_authenticated": True, "pk": 1})()
        return (user, None) if request.headers.get("Authorization") == f"Api-Key {KEY}" else None

    def authenticate_header(self, request):
        return "Api-Key"


class Throttle(SimpleRateThrottle):
    scope = "key"
    THROTTLE_RATES = {"key": rate}

    def get_cache_key(self, request, view):
        return "key"


class Pages(PageNumberPagination):
    page_size = 5
    page_size_query_param = "page_size"
    max_page_size = 5


class Guarded:
    authentication_classes = [Authentication]
    permission_classes = [IsAuthenticated]
    throttle_classes = [Throttle]


class Domains(Guarded, mixins.ListModelMixin, mixins.CreateModelMixin, mixins.DestroyModelMixin, viewsets.GenericViewSet):
    queryset = Domain.objects.order_by("name")
    serializer_class = DomainSerializer
    pagination_class = Pages
    lookup_value_regex = "[^/]+"

    def perform_destroy(self, domain):
        domain.entry_set.all().delete()
        domain.delete()


class Entries(Guarded, viewsets.ModelViewSet):
    serializer_class = EntrySerializer

    def get_queryset(self):
        wanted = {name: self.request.query_params[name] for name in ["type"] if name in self.request.query_params}
        return Entry.objects.filter(domain=self.kwargs["domain"], **wanted).order_by("id")

    def perform_create(self, serializer):
        serializer.save(domain_id=self.kwargs["domain"])


router = routers.DefaultRouter()
router.register("dns/domain", Domains)
router.register(r"dns/domain/(?P<domain>[^/]+)/entry_set", Entries, basename="entry")
urlpatterns = [path("", include(router.urls))]

if __name__ == "__main__":
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    with connection.schema_editor() as editor:
        for model in (Domain, Entry):
            editor.create_model(model)
    WSGIRequestHandler.log_message = lambda *_: None
    make_server("127.0.0.1", int(port), get_wsgi_application()).serve_forever()
