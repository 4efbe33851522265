"""The supervised classifier: timm network, backbone, letterbox, normalizer, heat maps."""
