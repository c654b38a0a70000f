package android.content.pm;

public class PackageInfo { public String versionName = "3.1.0"; }
