import { daysBetween, type Day } from '#kernel/contract/time.ts';

/** What earlier lines of a claim took of a medicine. */
interface Taken {
  medicineId: string;
  /** The row of a benefit's drug list that it was taken under. */
  rowKey: string;
  serviceDate: Day;
  qtyMilli: number;
}

/** Quantities of a claim while its lines are worked off, with the days on which they were bought. */
export class Quantities {
  readonly #taken: Taken[] = [];

  add(one: Taken): void {
    if (one.qtyMilli > 0) this.#taken.push(one);
  }

  /** All of the claim so far under one row of the drug list. */
  inClaim(rowKey: string): number {
    return sum(this.#taken.filter((one) => one.rowKey === rowKey));
  }

  /** So many days up to and with a day; what was bought earlier, or later, does not count against it. */
  inWindow(medicineId: string, day: Day, days: number): number {
    return sum(
      this.#taken.filter((one) => {
        const before = daysBetween(one.serviceDate, day);
        return one.medicineId === medicineId && before >= 0 && before < days;
      }),
    );
  }

  /** Days since the claim's last purchase before a day; null: none. What is bought on the same day is one purchase. */
  sinceLast(medicineId: string, day: Day): number | null {
    const gaps = this.#taken
      .filter((one) => one.medicineId === medicineId)
      .map((one) => daysBetween(one.serviceDate, day))
      .filter((gap) => gap > 0);
    return gaps.length === 0 ? null : Math.min(...gaps);
  }
}

const sum = (all: readonly Taken[]): number => all.reduce((total, { qtyMilli }) => total + qtyMilli, 0);
