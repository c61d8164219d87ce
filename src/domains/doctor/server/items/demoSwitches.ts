import type { DemoContext } from '#kernel/server/module.ts';
import { writeDemoSwitches } from '#domains/patient/server/index.ts';
import { ownTx } from '../database.ts';

const ITEMS = {
  REPORT_LAB: [false, 'ID2', '仅解读报告，不涉及诊疗'],
  VIDEO_15: [true, 'ID3', '视频面诊须核对手机号'],
  PRIVATE_90: [true, 'FACE', '私人医生须本人核身'],
} as const;
const STRICT = [
  ['ID3', '按合作协议要求'],
  ['FACE', '高风险用药管理'],
  ['ID3', '复诊患者核对手机号'],
] as const;

/** patient.md: at least three real-name switches for each kind of object. */
export async function writeSwitches({ now, transaction }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    const own = ownTx(tx);
    const items = await own
      .selectFrom('doctorServiceItem')
      .select(['id', 'itemCode', 'name'])
      .where('itemCode', 'in', Object.keys(ITEMS))
      .execute();
    const doctors = await own
      .selectFrom('doctorDoctor')
      .select(['id', 'name'])
      .where('practiceOk', '=', true)
      .orderBy('id')
      .limit(3)
      .execute();
    const copies = async (kind: 'CHANNEL' | 'DISEASE') =>
      own
        .selectFrom('doctorRefCopy')
        .select(['refId as id', 'name'])
        .where('kind', '=', kind)
        .where('state', '=', 'ENABLED')
        .orderBy('refId')
        .limit(3)
        .execute();
    const strict = (scopeType: 'CHANNEL' | 'DISEASE' | 'DOCTOR', list: readonly { id: string; name: string }[]) =>
      list.map(({ id, name }, index) => ({
        scopeType,
        scopeId: id,
        scopeName: name,
        scene: 'CONSULT' as const,
        required: true,
        minMethod: STRICT[index % 3]![0],
        reason: STRICT[index % 3]![1],
      }));
    await writeDemoSwitches(
      tx,
      [
        ...strict('CHANNEL', await copies('CHANNEL')),
        ...strict('DISEASE', await copies('DISEASE')),
        ...strict('DOCTOR', doctors),
        ...items.map(({ id, itemCode, name }) => {
          const [required, minMethod, reason] = ITEMS[itemCode as keyof typeof ITEMS];
          return {
            scopeType: 'SERVICE_ITEM' as const,
            scopeId: id,
            scopeName: name,
            scene: 'CONSULT' as const,
            required,
            minMethod,
            reason,
          };
        }),
      ],
      now,
    );
  });
}
