"""Case folders for programs outside assay. Needs NumPy alone; PyTorch tensors are given and taken where it is installed.

    inputs, parameters = exchange.load(folder)               # NumPy: bf16 as float32 values
    inputs, parameters = exchange.load(folder, "cuda")       # PyTorch tensors on that device, bf16 as bfloat16
    exchange.store(folder, o=o, S=S)                         # out/o.npy, out/S.npy

A tensor with tokens is [B, T, H, ...]; with layout="BHTD" it is [B, H, T, ...] on both sides. With complex_numbers=True
planes q_re and q_im are one complex array q, and a complex o is stored as o_re and o_im.

    python3 exchange.py DIR --with module:function           # every case folder of DIR: function(inputs, parameters)

returns a dict of the operator's outputs, of which final states may be missing; assay judge DIR then says how right they are.
"""

import argparse
import importlib
import json
import os
import pathlib
import shutil
import sys

import numpy as np

DTYPES = {"f32": np.dtype("<f4"), "fp16": np.dtype("<f2"), "bf16": np.dtype("<u2"), "i64": np.dtype("<i8")}
LAYOUTS = ("BTHD", "BHTD")


def describe(folder):
    """case.json: operator, family, sizes, parameters; formats of tensors and outputs, axes of both."""
    return json.loads((pathlib.Path(folder) / "case.json").read_text())


def case_folders(folder):
    """The folder itself if it holds a case, else those in it that do."""
    folder = pathlib.Path(folder)
    found = [folder] if (folder / "case.json").exists() else [path.parent for path in folder.glob("*/case.json")]
    if not found:
        raise ValueError(f"{folder}: neither a case folder nor a folder of some")
    return sorted(found)


def bf16_values(bits):
    """float32 values of bf16 bit patterns."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def round_to_bf16(values):
    """float32 values that bf16 holds, nearest to the given ones, ties to even; NaN stays NaN."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    return np.where(np.isnan(values), np.float32(np.nan), rounded)


def bf16_bits(name, values):
    """Bit patterns of float32 values that bf16 holds."""
    bits = values.view(np.uint32)
    inexact = np.flatnonzero((bits & 0xFFFF).ravel() * ~np.isnan(values).ravel())
    if inexact.size:
        raise ValueError(f"{name} holds {values.ravel()[inexact[0]]!r}, which is no bf16: round it (round_to_bf16), or "
                         "store output=\"f32\" for a contract whose output is f32")
    return (bits >> 16).astype(DTYPES["bf16"])


def swapped(array, axes, layout):
    """[B, T, H, ...] to [B, H, T, ...] or back, for that layout."""
    if layout not in LAYOUTS:
        raise ValueError(f"layout {layout!r}: one of {', '.join(LAYOUTS)}")
    return array.swapaxes(1, 2) if layout == "BHTD" and axes[1:3] == ["T", "H"] else array


def to_torch(array, stored_format, device):
    import torch
    tensor = torch.from_numpy(np.ascontiguousarray(array)).to(device)
    return tensor.to(torch.bfloat16) if stored_format == "bf16" else tensor


def from_torch(tensor):
    """A NumPy array; bfloat16 as the float32 values that it holds."""
    tensor = tensor.detach().cpu()
    return (tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor).numpy()


def complex_of(re, im):
    if not isinstance(re, np.ndarray):
        re, im = re.float(), im.float()  # PyTorch has no complex bfloat16
    return re + 1j * im


def joined(arrays):
    """x_re and x_im as one complex x."""
    planes = {name[:-3] for name in arrays if name.endswith("_re") and name[:-3] + "_im" in arrays}
    whole = {name: array for name, array in arrays.items() if name[:-3] not in planes}
    return whole | {name: complex_of(arrays[name + "_re"], arrays[name + "_im"]) for name in planes}


def load(folder, device=None, layout="BTHD", complex_numbers=False):
    """The inputs of a case by name, and its parameters. PyTorch tensors if a device is given."""
    case = describe(folder)
    arrays = {}
    for name, stored_format in case["tensors"].items():
        array = np.load(pathlib.Path(folder) / f"{name}.npy")
        if array.dtype != DTYPES[stored_format]:
            raise ValueError(f"{folder}/{name}.npy: {array.dtype}: {stored_format} is stored as {DTYPES[stored_format]}")
        array = swapped(bf16_values(array) if stored_format == "bf16" else array, case["axes"][name], layout)
        arrays[name] = np.ascontiguousarray(array) if device is None else to_torch(array, stored_format, device)
    return joined(arrays) if complex_numbers else arrays, case["parameters"]


def planes_of(arrays):
    """Arrays by the operator's names: complex ones in two planes."""
    for name, array in arrays.items():
        array = array if isinstance(array, np.ndarray) else from_torch(array)
        if np.iscomplexobj(array):
            yield f"{name}_re", array.real
            yield f"{name}_im", array.imag
        else:
            yield name, array


def stored_array(name, array, case, layout, output):
    """The array as the file holds it."""
    if name not in case["outputs"]:
        raise ValueError(f"{case['operator']} has no output {name!r}: {', '.join(case['outputs'])}")
    axes = case["axes"][name]
    due = [case["sizes"][axis] for axis in axes]
    array = np.ascontiguousarray(swapped(array, axes, layout))
    if list(array.shape) != due:
        raise ValueError(f"{name} has shape {list(array.shape)}: {axes} are {due}")
    stored_format = case["outputs"][name]
    if output and "T" in axes:
        stored_format = output
    if array.dtype == np.float64:
        raise ValueError(f"{name} is float64: round it to float32 first")
    if stored_format == "bf16":
        return bf16_bits(name, np.ascontiguousarray(array, np.float32))
    return array.astype(DTYPES[stored_format], copy=False, casting="safe")


def store(folder, layout="BTHD", output=None, **arrays):
    """Writes out/NAME.npy for each output, in place of those that are there. Nothing is rounded: values must be in the format
    of the case, or in `output` ("f32", for a contract whose output that is)."""
    folder = pathlib.Path(folder)
    case = describe(folder)
    files = {name: stored_array(name, array, case, layout, output) for name, array in planes_of(arrays)}
    part = folder / f"out.{os.getpid()}.part"
    part.mkdir()
    for name, array in files.items():
        np.save(part / f"{name}.npy", array)
    shutil.rmtree(folder / "out", ignore_errors=True)
    part.rename(folder / "out")


def run_all(folder, function, device=None, layout="BTHD", complex_numbers=False, output=None):
    """Runs function(inputs, parameters) -> dict of outputs over all case folders. Returns their number."""
    folders = case_folders(folder)
    for case in folders:
        store(case, layout=layout, output=output, **function(*load(case, device, layout, complex_numbers)))
    return len(folders)


def function_named(text):
    module, _, name = text.partition(":")
    sys.path.insert(0, os.getcwd())
    return getattr(importlib.import_module(module), name)


def main():
    parser = argparse.ArgumentParser(description="runs a function over case folders and stores what it returns")
    parser.add_argument("folder", help="a case folder, or a folder of them")
    parser.add_argument("--with", dest="function", required=True, metavar="MODULE:FUNCTION",
                        help="function(inputs, parameters) -> dict of outputs")
    parser.add_argument("--device", help="hand over PyTorch tensors on this device")
    parser.add_argument("--layout", choices=LAYOUTS, default="BTHD")
    parser.add_argument("--complex", action="store_true", help="planes x_re and x_im as one complex x")
    parser.add_argument("--output", choices=["f32"], help="the contract's output, where it is not the format of the inputs")
    o = parser.parse_args()
    count = run_all(o.folder, function_named(o.function), o.device, o.layout, o.complex, o.output)
    print(f"{count} cases: {o.function}")


if __name__ == "__main__":
    main()
