"""Packs what lies in other folders of the repository; in an sdist it is in its place."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = {
    "parley_mrtr/host/parley.wasm": "../../wasm/parley.wasm",
    "parley_mrtr/codec/mark.lua": "../go/store/redis/scripts/mark.lua",
}


class Hook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for place, file in FILES.items():
            in_sdist, in_repository = Path(self.root, "src", place), Path(self.root, file)
            source = in_repository if in_repository.exists() else in_sdist
            build_data["force_include"][str(source)] = place if self.target_name == "wheel" else f"src/{place}"
