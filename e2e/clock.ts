/**
 * The product's clock stands still: a minute later the captchas and codes of other journeys no longer count.
 * Resolves with the product's time and its day in China (`2026-11-21`) when all work that fell due is done.
 */
export async function nextMinute(address: string): Promise<{ now: string; today: string }> {
  const response = await fetch(`${address}/test/clock`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ advanceMs: 61_000 }),
  });
  if (!response.ok) throw new Error(`The clock of ${address} did not move: HTTP ${response.status}`);
  return (await response.json()) as { now: string; today: string };
}
