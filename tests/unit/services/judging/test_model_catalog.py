"""Whether a model is confirmed: by the catalog as it is now, and by nothing else."""

import json

from evalbook.judges.catalog import read_catalog
from evalbook.judges.version import read_judge_parameters
from evalbook.services.judging.gateway import CachedCatalogs, CatalogUnavailable, ConfirmedModels
from tests.fakes.catalogs import FixedCatalog
from tests.fakes.judge_runs import CATALOG, MODEL


class Down:
    """No catalog is to be had."""

    def catalog(self, _):
        raise CatalogUnavailable("the gateway did not answer")


class Counting:
    """Counts how often it is asked."""

    def __init__(self):
        self.asked = []

    def catalog(self, organization_id):
        self.asked.append(organization_id)
        return read_catalog(json.dumps(CATALOG).encode())


def parameters(model=MODEL):
    return read_judge_parameters({"model": model, "prompt_template": "{{output}}", "score_type": "binary"})


def test_a_model_of_the_catalog_is_confirmed():
    models = ConfirmedModels(FixedCatalog(read_catalog(json.dumps(CATALOG).encode())))

    assert list(models.problems("org-1", parameters())) == []


def test_a_model_that_is_not_in_the_catalog_is_not_confirmed():
    models = ConfirmedModels(FixedCatalog(read_catalog(json.dumps(CATALOG).encode())))

    [problem] = models.problems("org-1", parameters("bookbag::another"))

    assert problem.pointer == "/model"


def test_without_an_answer_no_model_is_confirmed():
    [problem] = ConfirmedModels(Down()).problems("org-1", parameters())

    assert problem.pointer == "/model"


def test_a_catalog_is_kept_for_its_organization_and_for_a_while():
    source, now = Counting(), [0.0]
    catalogs = CachedCatalogs(source, lambda: now[0], 60)

    for organization in ("org-1", "org-1", "org-2"):
        catalogs.catalog(organization)
    now[0] = 60.0
    catalogs.catalog("org-1")

    assert source.asked == ["org-1", "org-2", "org-1"]
