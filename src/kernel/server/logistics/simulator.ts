import { hours, plusMs } from '../../contract/time.ts';
import { simulation, type SimulationParts } from '../outside/simulation.ts';
import type { Logistics, Parcel, Trace } from './port.ts';

/** How a parcel travels, by the last two digits of its waybill; every other is signed for after two days. */
type Ending = 'PROBLEM' | 'LATE' | 'NEVER' | 'MIXED' | 'TWICE' | 'RETURNED' | 'REFUSED';
const ENDS_IN: Readonly<Record<string, Ending>> = {
  '91': 'PROBLEM',
  '92': 'LATE',
  '93': 'NEVER',
  '94': 'MIXED',
  '95': 'TWICE',
  '96': 'RETURNED',
  '97': 'REFUSED',
};
const LATE_MS = hours(48);

type Step = readonly [afterHours: number, state: Trace['state'], description: string, city: string];
const BEGINNING: readonly Step[] = [
  [0, 'WAIT', '已下单，等待揽收', '上海市'],
  [2, 'TRANSIT', '快件已揽收', '上海市'],
  [20, 'TRANSIT', '快件到达转运中心', '南京市'],
];
const USUAL: readonly Step[] = [...BEGINNING, [40, 'DELIVERING', '正在派送', '南京市'], [48, 'SIGNED', '已签收', '南京市']];
const JOURNEYS: Readonly<Partial<Record<Ending, readonly Step[]>>> = {
  PROBLEM: [...BEGINNING, [30, 'PROBLEM', '收件地址不详，无法派送', '南京市']],
  RETURNED: [
    ...BEGINNING,
    [40, 'DELIVERING', '正在派送', '南京市'],
    [50, 'PROBLEM', '收件人拒收', '南京市'],
    [96, 'RETURNED', '已退回寄件人', '上海市'],
  ],
};

const refOf = ({ carrierCode, waybillNo }: Parcel) => `${carrierCode}:${waybillNo}`;
const endingOf = ({ waybillNo }: Parcel): Ending | undefined => ENDS_IN[waybillNo.slice(-2)];

/** Stands in for the carriers: it keeps waybills in the own database, and carries nothing. */
export function simulatedLogistics(parts: SimulationParts): Logistics {
  const parcels = simulation<Record<string, never>>('LOGISTICS', parts);
  return {
    available: true,
    async subscribe(parcel) {
      const ending = endingOf(parcel);
      if (ending === 'REFUSED') return 'REFUSED';
      const answersAfter = ending === 'NEVER' ? null : ending === 'LATE' ? LATE_MS : 0;
      await parcels.take([{ ref: refOf(parcel), group: parcel.carrierCode, facts: {}, answersAfter }]);
      return 'TAKEN';
    },
    async traces(parcel) {
      const subscribed = await parcels.find(refOf(parcel));
      if (!subscribed) return null;
      if (!subscribed.isAnswered) return [];
      const ending = endingOf(parcel);
      const happened = ((ending && JOURNEYS[ending]) ?? USUAL)
        .map(([after, state, description, city]): Trace => ({
          occurredAt: plusMs(subscribed.takenAt, hours(after)),
          state,
          description,
          city,
        }))
        .filter(({ occurredAt }) => occurredAt <= parts.now());
      if (ending === 'TWICE') return happened.flatMap((trace) => [trace, trace]);
      return ending === 'MIXED' ? happened.toReversed() : happened;
    },
  };
}
