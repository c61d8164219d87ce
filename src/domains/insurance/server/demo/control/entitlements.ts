import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { bulk } from '#kernel/server/demo/bulk.ts';
import type { EntitlementDocument } from '../../../contract/entitlements/document.ts';
import { hashOfDefinition } from '../../entitlements/definitions.ts';
import type { Stage } from '../stage.ts';

type Content = Pick<EntitlementDocument, 'kind' | 'name' | 'couponRule' | 'stored' | 'services'> &
  Partial<Pick<EntitlementDocument, 'costBearer' | 'transferable'>>;
type State = 'PUBLISHED' | 'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'WITHDRAWN';

const coupon = (
  name: string,
  mode: 'FULL_CUT' | 'CASH' | 'DISCOUNT' | 'EXCHANGE',
  thresholdFen: number,
  value: number,
  capFen: number | null = null,
): Content => ({
  kind: 'COUPON',
  name,
  couponRule: { mode, thresholdFen, value, capFen },
  stored: null,
  services: null,
});
const stored = (name: string, principalFen: number, bonusFen: number): Content => ({
  kind: 'STORED_VALUE',
  name,
  couponRule: null,
  stored: { principalFen, bonusFen },
  services: null,
});
const card = (name: string, ...services: readonly (readonly [code: string, name: string, times: number, fen: number])[]): Content => ({
  kind: 'BENEFIT_CARD',
  name,
  couponRule: null,
  stored: null,
  services: services.map(([rightCode, label, times, settlePriceFen]) => ({ rightCode, name: label, times, settlePriceFen })),
});

const definitions: readonly (readonly [code: string, content: Content, state: State])[] = [
  ['YHQ-300-50', coupon('满300减50', 'FULL_CUT', 30_000, 5_000), 'PUBLISHED'],
  ['YHQ-500-100', coupon('满500减100', 'FULL_CUT', 50_000, 10_000), 'PUBLISHED'],
  ['YHQ-1000-260', coupon('满1000减260', 'FULL_CUT', 100_000, 26_000), 'PENDING_AUDIT'],
  ['YHQ-LJ20', coupon('新客立减20', 'CASH', 0, 2_000), 'PUBLISHED'],
  ['YHQ-85Z', coupon('慢病85折', 'DISCOUNT', 20_000, 8_500, 20_000), 'PUBLISHED'],
  ['YHQ-9Z', coupon('特药9折', 'DISCOUNT', 100_000, 9_000, 100_000), 'DRAFT'],
  ['YHQ-DH', coupon('基因检测兑换券', 'EXCHANGE', 0, 0), 'PUBLISHED'],
  ['YHQ-200-20', coupon('满200减20', 'FULL_CUT', 20_000, 2_000), 'WITHDRAWN'],
  ['CZK-500', stored('员工药品卡500', 50_000, 0), 'PUBLISHED'],
  ['CZK-1000', stored('员工药品卡1000', 100_000, 5_000), 'PUBLISHED'],
  ['CZK-3000', stored('员工药品卡3000', 300_000, 30_000), 'PENDING_AUDIT'],
  ['CZK-HMO', stored('HMO健康账户', 200_000, 0), 'PUBLISHED'],
  ['QYK-JG', card('健康管理卡', ['FOLLOW_UP', '用药随访', 6, 3_000], ['CONSULT', '图文问诊', 12, 2_000]), 'PUBLISHED'],
  ['QYK-HL', card('护理服务卡', ['HOME_CARE', '上门护理', 2, 28_000]), 'PUBLISHED'],
  ['QYK-TJ', card('体检权益卡', ['CHECKUP', '年度体检', 1, 60_000]), 'REJECTED'],
  ['QYK-ZL', card('肿瘤管理卡', ['MDT', '多学科会诊', 1, 150_000], ['SECOND_OPINION', '二次诊疗意见', 1, 80_000]), 'DRAFT'],
];

export async function writeEntitlements({ tx, now, today, maker, checker }: Stage): Promise<void> {
  await bulk(
    tx,
    'insurance_entitlement_def',
    definitions.map(([entitlementCode, content, state], at) => {
      const running = state === 'PUBLISHED' || state === 'WITHDRAWN';
      const document: EntitlementDocument = {
        ...content,
        scope: {
          productIds: [],
          medicineIds: [],
          categories: [],
          drugstoreIds: [],
          adcodes: at % 5 === 0 ? ['310000'] : [],
          claimTypes: [],
          excludeMedicineIds: [],
        },
        validity:
          at % 4 === 3
            ? { mode: 'FIXED', from: today, to: plusDays(today, 180), days: null, remindDays: 7 }
            : { mode: at % 2 === 0 ? 'AFTER_GRANT' : 'AFTER_ACTIVATE', from: null, to: null, days: 30 + at * 10, remindDays: 7 },
        stacking: { group: content.kind === 'COUPON' ? 'DRUG' : '', priority: (at % 9) + 1 },
        transferable: false,
        refundRule: content.kind === 'COUPON' ? 'NONE' : 'RESTORE',
        costBearer: content.kind === 'STORED_VALUE' ? 'SPONSOR' : at % 3 === 0 ? 'PHARMA' : 'INSURER',
        perPersonLimit: content.kind === 'COUPON' ? 2 : null,
        effectiveFrom: running ? plusDays(today, -120) : plusDays(today, 7),
        effectiveTo: null,
        gapNote: '',
      };
      const handed = state !== 'DRAFT';
      const looked = handed && state !== 'PENDING_AUDIT';
      const day = startOfDay(plusDays(today, running ? -122 : -2), '10:00');
      return {
        entitlementCode,
        versionNo: 1,
        ...document,
        changeNote: handed ? '首次上线' : '',
        state,
        makerId: handed ? maker.id : null,
        checkerId: looked ? checker.id : null,
        submittedAt: handed ? day : null,
        publishedAt: running ? day : null,
        contentHash: handed ? hashOfDefinition(document) : null,
        version: handed ? 3 : 1,
        ...createdColumns({ now: day, userId: maker.id }),
        ...updatedColumns({ now: now < day ? now : day, userId: looked ? checker.id : maker.id }),
      };
    }),
  );
}
