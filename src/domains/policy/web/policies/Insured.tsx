import { Form } from 'antd';
import { lazy, useMemo, useState } from 'react';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import type { ColumnChoice } from '#kernel/web/list/columnsOf.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportInsuredPerson, queryInsuredPersonList, type InsuredRow, type revealFields } from '../../contract/calls/persons.ts';
import type { PolicyDetail } from '../../contract/calls/policies.ts';
import { POLICY_LINE_VIEW } from '../../contract/lineView.ts';
import { policyPermissions as may } from '../../contract/permissions.ts';
import { isTerminal } from '../../contract/states.ts';
import { revealed } from './revealed.ts';

const InsuredDrawer = lazy(async () => ({ default: (await import('./InsuredDrawer.tsx')).InsuredDrawer }));
const EndorseForm = lazy(async () => ({ default: (await import('../endorse/EndorseForm.tsx')).EndorseForm }));

const masked = (field: (typeof revealFields)[number]) => ({
  permission: may['insured.reveal'],
  withReason: true,
  reveal: ({ id }: InsuredRow, reason: string) => revealed(id, field)(reason),
});

const UNCOUNTED = '惠民保单人数较多，查询后显示总数';
const filters = ['name', 'idNo', 'mobile', 'employeeNo', 'planCode', 'relation', 'state'] as const;
type Choice = ColumnChoice<InsuredRow>;
const who: readonly Choice[] = [
  {
    key: 'name',
    required: true,
    // Who came with a main insured stands under him.
    render: (row) => (row.relation === 'SELF' ? row.name : `　└ ${row.name}`),
  },
  { key: 'relation', plain: true },
  'mainName',
  { key: 'idType', plain: true, hidden: true },
  { key: 'idNo', masked: masked('idNo') },
  { key: 'gender', plain: true },
  'birthDate',
  { key: 'mobile', masked: masked('mobile') },
];
const cover: readonly Choice[] = ['planCode', 'coverageStart', 'coverageEnd', 'annualPremiumFen', 'realNameState', 'state'];
const shared = { empty: '没有符合条件的被保人', filters };
const insured = resource(queryInsuredPersonList, {
  ...shared,
  routeKey: 'policyManage.insured',
  columns: [...who, { key: 'employeeNo', hidden: true }, { key: 'department', hidden: true }, ...cover],
});
/** An enterprise's staff. */
const staff = resource(queryInsuredPersonList, {
  ...shared,
  routeKey: 'policyManage.staff',
  columns: ['enterpriseName', 'department', 'employeeNo', ...who, ...cover],
});
/** Whether somebody is looked for. */
const searches = (given: InputOf<typeof queryInsuredPersonList>): boolean =>
  filters.some((name) => {
    const value = given[name];
    return value !== undefined && value !== null && value.length > 0;
  });

/** Tab 被保人: who was covered on a day, as the system knew it then or knows it now. */
export function Insured({ policy }: { policy: PolicyDetail }) {
  const layers = useLayers();
  const [day, setDay] = useState<string | null>(null);
  const [known, setKnown] = useState<string | null>(null);
  const fixed = useMemo(
    () => ({
      policyId: policy.id,
      ...(day && { asOfDay: day }),
      // What the system knew when that day ended.
      ...(known && { asOfTime: startOfDay(plusDays(known, 1)) }),
    }),
    [policy.id, day, known],
  );
  const change = (kind: 'REMOVE' | 'PLAN' | 'CORRECT', label: string): RowAction<InsuredRow> => ({
    label,
    permission: may['endorse.make'],
    when: ({ state }) => !isTerminal(policy.state) && (state === 'ACTIVE' || state === 'PENDING' || state === 'SUSPENDED'),
    act: ({ id }) => layers.open((close) => <EndorseForm policyId={policy.id} kind={kind} insuredItemId={id} onClose={close} />),
  });
  const open = ({ id }: InsuredRow) => layers.open((close) => <InsuredDrawer insuredItemId={id} onClose={close} />);
  return (
    <>
      <ResourceList
        of={POLICY_LINE_VIEW[policy.productLine].enterprise ? staff : insured}
        fixed={fixed}
        above={
          <Form layout="inline">
            <Form.Item label="某日保障" htmlFor="insured-day">
              <DayInput id="insured-day" value={day} onChange={setDay} placeholder="今天" />
            </Form.Item>
            <Form.Item label="当时系统记录" htmlFor="insured-known" extra={known ? '截至该日24:00系统中的记录' : undefined}>
              <DayInput id="insured-known" value={known} onChange={setKnown} placeholder="现在" />
            </Form.Item>
          </Form>
        }
        onRowClick={open}
        // Of a whole city nobody is counted before somebody is looked for.
        uncounted={policy.policyType === 'CITY' ? (given) => (searches(given) ? undefined : UNCOUNTED) : undefined}
        actions={[{ label: '详情', act: open }, change('CORRECT', '更正'), change('PLAN', '变更计划'), change('REMOVE', '减员')]}
        toolbar={({ total, ...view }) => (
          <ExportButton
            call={exportInsuredPerson}
            view={policy.policyType === 'CITY' && !searches(view.filters) ? view : { ...view, total }}
            permission={may['policy.export']}
          />
        )}
      />
      {layers.shown}
    </>
  );
}
