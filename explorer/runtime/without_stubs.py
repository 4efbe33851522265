"""Imports gradio without its texts for editors: .pyi files take half of the time, docstrings of events a tenth."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

STUB_MODULE, STUB_FUNCTION = "gradio.component_meta", "create_or_modify_pyi"


def skip_stubs() -> None:
    """Prevent the generation of stubs and docstrings. Call it before importing gradio."""
    if STUB_MODULE not in sys.modules and not any(isinstance(each, _Finder) for each in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != STUB_MODULE:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _WithoutStubs(spec.loader)
        return spec


class _WithoutStubs(Loader):
    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        if hasattr(module, STUB_FUNCTION):  # other versions may not have it
            setattr(module, STUB_FUNCTION, lambda *described: None)
        if hasattr(module, "EventListener"):
            module.EventListener.set_doc = lambda listener, component: None
