"""What is recorded for a GPU does what it does piece by piece, with other numbers each time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("needs a GPU", allow_module_level=True)

from embertown.training.ppo import Learning, Lesson, set_rate  # noqa: E402
from embertown.training.recorded import BEFORE, Recorded  # noqa: E402

OFTEN = BEFORE + 4
ROWS, NUMBERS = 32, 16


def some_numbers(seed: int) -> tuple[Any, Any]:
    lots = torch.Generator().manual_seed(seed)
    return tuple(torch.randn(ROWS, NUMBERS, generator=lots).cuda() for _ in range(2))


def test_a_replay_gives_what_the_function_gives() -> None:
    def function(one: Any, other: Any) -> tuple[Any, Any]:
        return torch.relu(one @ other.T), (one * other).sum(1)

    recorded = Recorded(function)
    for seed in range(OFTEN):
        given = some_numbers(seed)
        kept = [each.clone() for each in given]
        for found, expected in zip(recorded(*given), function(*given), strict=True):
            assert torch.allclose(found, expected, atol=1e-5), seed
        assert all(torch.equal(each, before) for each, before in zip(given, kept, strict=True))
    assert recorded.graph is not None


def missed(network: Any, rows: Sequence[Any], entropy: Any, _learning: Learning) -> Any:
    seen, wanted = rows
    far = (network(seen) - wanted).square().mean()
    return torch.stack((far + entropy * network.weight.square().mean(), far))


def test_replayed_lessons_teach_the_same() -> None:
    """Weights, what the optimiser remembers, and rates that change between two lessons."""
    networks = [torch.nn.Linear(NUMBERS, NUMBERS).cuda() for _ in range(2)]
    networks[1].load_state_dict(networks[0].state_dict())
    optimisers = [
        torch.optim.Adam(each.parameters(), lr=torch.tensor(1e-2, device="cuda"), fused=True, capturable=True)
        for each in networks
    ]
    plain, other = (Lesson(*each, Learning(), missed) for each in zip(networks, optimisers, strict=True))
    recorded = Recorded(other)
    for seed in range(OFTEN):
        given = (torch.tensor(0.1 * seed, device="cuda"), *some_numbers(seed))
        for optimiser in optimisers:
            set_rate(optimiser, 1e-2 / (1 + seed))
        assert torch.allclose(recorded(*given), plain(*given), atol=1e-5), seed
        assert torch.allclose(networks[0].weight, networks[1].weight, atol=1e-5), seed
