/**
 * Does the same work a few times beside one another, each taking from a common store until it is empty. All lanes have ended when it
 * answers, also where one failed: none goes on behind its caller's back.
 */
export async function inLanes(lanes: number, work: () => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(Array.from({ length: lanes }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
