"""The supervised classifier: timm network, backbone, letterbox, normalizer, saliency."""
