import shutil, subprocess, sys


def gpus():
    query = ["nvidia-smi", "--query-gpu=name,memory.total,compute_cap", "--format=csv,noheader,nounits"]
    try:
        out = subprocess.run(query, capture_output=True, text=True, timeout=30).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    rows = [[cell.strip() for cell in line.split(",")] for line in out.splitlines()]
    return [
        {"name": row[0], "memory_mib": int(float(row[1])), "compute_capability": row[2]}
        for row in rows
        if len(row) == 3
    ]


say(
    "PROBED",
    PARAMETERS["nonce"],
    {
        "gpus": gpus(),
        "python": sys.version.split()[0],
        "disk_free_gib": round(shutil.disk_usage("/").free / 1024**3, 1),
        "can_release": bool(os.environ.get("TBE_RUNTIME_ADDR")),
    },
)
