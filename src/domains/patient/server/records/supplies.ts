import { daysBetween, plusDays, type Day } from '#kernel/contract/time.ts';

export interface Supply {
  medicineKey: string;
  medicineName: string;
  orderNo: string;
  orderDay: Day;
  days: number;
}
export interface Stacked extends Supply {
  from: Day;
  until: Day;
}

/** One medicine's supplies follow each other: each begins with its order day or where the one before ends (R5). */
export function stackSupplies(supplies: readonly Supply[]): Stacked[] {
  const ends = new Map<string, Day>();
  return supplies
    .toSorted((a, b) => a.orderDay.localeCompare(b.orderDay) || a.orderNo.localeCompare(b.orderNo))
    .map((supply) => {
      const before = ends.get(supply.medicineKey);
      const from = before !== undefined && before > supply.orderDay ? before : supply.orderDay;
      const until = plusDays(from, supply.days);
      ends.set(supply.medicineKey, until);
      return { ...supply, from, until };
    });
}

/** Days until the last supply ends; null when nothing was ever supplied. */
export function daysLeft(stacked: readonly Stacked[], today: Day): number | null {
  const last = stacked
    .map(({ until }) => until)
    .toSorted()
    .at(-1);
  return last === undefined ? null : Math.max(0, daysBetween(today, last));
}

export interface OrderLine {
  medicineId: string | null;
  medicineName: string;
  spec: string;
  qty: number;
  daysSupply: number | null;
}

/** What the lines of orders supply; lines without days say nothing. */
export const suppliesOf = (orders: readonly { orderNo: string; orderDay: Day; lines: readonly OrderLine[] }[]): Supply[] =>
  orders.flatMap(({ orderNo, orderDay, lines }) =>
    lines.flatMap((line) =>
      line.daysSupply === null || line.daysSupply <= 0
        ? []
        : [
            {
              medicineKey: line.medicineId ?? line.medicineName,
              medicineName: line.medicineName,
              orderNo,
              orderDay,
              days: line.daysSupply,
            },
          ],
    ),
  );
