"""The study of BoOQA."""
