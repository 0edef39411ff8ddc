from tests.unit.services.registry.conftest import client, house

__all__ = ["client", "house"]
