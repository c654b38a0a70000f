package android.text.method;

public interface TransformationMethod {}
