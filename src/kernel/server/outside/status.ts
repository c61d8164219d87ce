import type { FigureValue, StatusSource } from '../status/figure.ts';
import { OUTSIDE_PORTS, type OutsidePort } from './ports.ts';

const LABELS: Readonly<Record<OutsidePort, string>> = { BANK: '银行', TAX: '税务平台', OMS: '供应商OMS', LOGISTICS: '物流' };

/** With which systems of others this process works, and which of them a stand-in plays. */
export const outsideSource = (
  ports: Readonly<Record<OutsidePort, { readonly available: boolean }>>,
  simulated: readonly OutsidePort[],
): StatusSource => ({
  title: '外部系统',
  needsDatabase: false,
  figures: [
    {
      metric: 'kangqiao_outside_available',
      help: '1 where a system of others can be asked, by itself or played by a stand-in',
      label: '可用',
      unit: 'YES_NO',
      by: 'system',
    },
  ],
  read: () =>
    Promise.resolve(
      OUTSIDE_PORTS.map((port): FigureValue => {
        const { available } = ports[port];
        return {
          metric: 'kangqiao_outside_available',
          of: { key: port.toLowerCase(), label: LABELS[port] },
          value: available ? 1 : 0,
          ...(simulated.includes(port) ? { note: '模拟' } : !available && { note: '未接入' }),
        };
      }),
    ),
});
