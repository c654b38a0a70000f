package android.os;

public class Build { public static class VERSION { public static String RELEASE = "15"; } }
