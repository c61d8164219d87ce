import type { Trace, TraceState } from './port.ts';

/** How far along a parcel is; of what happens in one minute the farther one counts. */
const STEPS: readonly TraceState[] = ['WAIT', 'TRANSIT', 'DELIVERING', 'PROBLEM', 'SIGNED', 'RETURNED'];
const stepOf = ({ state }: Trace) => STEPS.indexOf(state);

/** What makes a trace itself, whenever and however often it is told. */
const keyOf = ({ occurredAt, description }: Trace) => `${occurredAt} ${description}`;

/** Traces by the time at which they happened, each once. */
export const inOrder = (traces: readonly Trace[]): Trace[] =>
  [...new Map(traces.map((trace) => [keyOf(trace), trace])).values()].toSorted(
    (a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt) || stepOf(a) - stepOf(b) || (a.description < b.description ? -1 : 1),
  );

/** Where a parcel is by all that is known of it. What was signed for stays so, unless it came back; news of the way arrives late. */
export function parcelState(traces: readonly Trace[]): TraceState {
  const final = ['RETURNED', 'SIGNED'] as const;
  return final.find((state) => traces.some((trace) => trace.state === state)) ?? inOrder(traces).at(-1)?.state ?? 'WAIT';
}
