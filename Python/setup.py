"""The package contains a library for one kind of machine, which works with every version of Python 3."""

import os

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.dist import Distribution


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(version=os.environ["ENCIRCLE_VERSION"], distclass=PlatformDistribution, cmdclass={"bdist_wheel": PlatformWheel})
