import { compareLoad } from './choice.ts';

/** A doctor who changes hands, with the open inquiries that his assistant has for him. */
export interface MovedDoctor {
  doctorId: string;
  doctorNo: string;
  open: number;
}

/** Somebody who receives doctors. */
export interface Successor {
  id: string;
  activeCount: number;
  capacity: number;
  /** Doctors bound to him now. */
  doctors: number;
}

export interface Assignment {
  doctorId: string;
  /** Null: every successor is full. */
  toAssistantId: string | null;
  /** Open inquiries of the successor before and after this doctor. */
  before: number;
  after: number;
}

const smaller = (a: string, b: string) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

/**
 * Shares doctors among successors (R6): the busiest first, each to whom the planned load weighs least; ties: fewer doctors, smaller id.
 * Inquiries that stay where they are weigh all the same: the doctor's next ones will come to the successor.
 */
export function planSpread(doctors: readonly MovedDoctor[], successors: readonly Successor[]): Assignment[] {
  const planned = new Map(successors.map((one) => [one.id, { ...one }]));
  return [...doctors]
    .sort((a, b) => b.open - a.open || (a.doctorNo < b.doctorNo ? -1 : 1))
    .map(({ doctorId, open }) => {
      const [next] = [...planned.values()]
        .filter((one) => one.activeCount < one.capacity)
        .sort(
          (a, b) =>
            compareLoad({ load: a.activeCount, capacity: a.capacity }, { load: b.activeCount, capacity: b.capacity }) ||
            a.doctors - b.doctors ||
            smaller(a.id, b.id),
        );
      if (!next) return { doctorId, toAssistantId: null, before: 0, after: 0 };
      const before = next.activeCount;
      next.activeCount += open;
      next.doctors += 1;
      return { doctorId, toAssistantId: next.id, before, after: next.activeCount };
    });
}
