import { Drawer } from 'antd';
import { daysBetween, showInstant, type Day } from '#kernel/contract/time.ts';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { divisionName } from '#kernel/web/session/divisions.ts';
import { queryInsuredPersonDetail, type InsuredDetail } from '../../contract/calls/persons.ts';
import { endorsementKinds, idTypes, insuredStates, relations, sliceStates, useStates, useTypes } from '../../contract/dictionaries.ts';
import { policyPermissions as may } from '../../contract/permissions.ts';
import { premiumMachine } from '../../contract/premiumStates.ts';
import { revealed } from './revealed.ts';

type Slice = InsuredDetail['slices'][number];

/** Slices along the policy's days; what is replaced or taken back is dashed. */
function Bars({ slices, from, to }: { slices: readonly Slice[]; from: Day; to: Day }) {
  const all = daysBetween(from, to) + 1;
  const percent = (n: number) => `${Math.max(0, Math.min(100, (n / all) * 100))}%`;
  return (
    <div className="pol-bars" role="img" aria-label={`${from}至${to}的保障区间`}>
      {slices.map((slice) => {
        const text = `${slice.planCode} ${slice.coverageStart}至${slice.coverageEnd}（${sliceStates.label(slice.state)}）`;
        return (
          <div
            key={slice.id}
            className={slice.state === 'LIVE' ? 'pol-bar' : 'pol-bar pol-bar-gone'}
            style={{
              marginLeft: percent(daysBetween(from, slice.coverageStart)),
              width: percent(daysBetween(slice.coverageStart, slice.coverageEnd) + 1),
            }}
            title={text}
          >
            {text}
          </div>
        );
      })}
    </div>
  );
}

/** One insured person: facts, every slice with its endorsement, uses and what he costs. */
export function InsuredDrawer({ insuredItemId, onClose }: { insuredItemId: string; onClose(): void }) {
  const found = useData(queryInsuredPersonDetail, { insuredItemId }, { quiet: true });
  const { data, error, refetch } = found;
  return (
    <Drawer open title={data ? `被保人 ${data.name}` : '被保人'} size={960} onClose={onClose}>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Waiting for={found} />
      ) : (
        <>
          <Facts
            facts={factsIn(queryInsuredPersonDetail.output, data, [
              'policyNo',
              { label: '产品', value: data.productName },
              { key: 'state', value: <Dict of={insuredStates} code={data.state} /> },
              { key: 'relation', value: `${relations.label(data.relation)}${data.mainName ? `（主被保人${data.mainName}）` : ''}` },
              {
                label: idTypes.label(data.idType),
                value: <Masked value={data.idNo} permission={may['insured.reveal']} withReason reveal={revealed(insuredItemId, 'idNo')} />,
              },
              {
                key: 'mobile',
                value: (
                  <Masked value={data.mobile} permission={may['insured.reveal']} withReason reveal={revealed(insuredItemId, 'mobile')} />
                ),
              },
              'gender',
              'birthDate',
              'realNameState',
              ...(data.enterpriseName === null ? [] : [{ label: '企业', value: data.enterpriseName }]),
              'employeeNo',
              'department',
              { key: 'adcode', value: data.adcode && divisionName(data.adcode) },
              'hasSocial',
              { key: 'preExistingIcd', value: data.preExistingIcd.join('、') || null },
            ])}
          />
          <Section title="保障区间">
            <Bars slices={data.slices} from={data.policyStart} to={data.policyEnd} />
            <DataTable
              rows={data.slices}
              height="auto"
              empty="没有保障区间"
              columns={[
                { key: 'planCode', title: '计划', width: 80 },
                { key: 'coverageStart', title: '生效日', kind: 'day' },
                { key: 'coverageEnd', title: '终止日', kind: 'day' },
                { key: 'annualPremiumFen', title: '年保费', kind: 'money' },
                { key: 'state', title: '状态', kind: 'dict', dictionary: sliceStates },
                {
                  key: 'endorsementNo',
                  title: '批单',
                  width: 250,
                  value: (row) => `${row.endorsementNo} ${endorsementKinds.label(row.kind)}`,
                },
                { key: 'visibleAt', title: '生效时间', kind: 'time' },
                {
                  key: 'undoneAt',
                  title: '不再有效的原因',
                  width: 220,
                  value: (row) =>
                    row.undoneAt ? `${showInstant(row.undoneAt)} 撤销` : row.replacedBy ? `被批单${row.replacedBy}替换` : '',
                },
              ]}
            />
          </Section>
          <Section title="使用情况">
            <DataTable
              rows={data.uses}
              height="auto"
              empty="没有入组、签约或理赔"
              columns={[
                { key: 'refType', title: '类型', kind: 'dict', dictionary: useTypes, plain: true },
                { key: 'refNo', title: '单号', width: 180 },
                { key: 'state', title: '状态', kind: 'dict', dictionary: useStates },
                { key: 'useFrom', title: '起', kind: 'day' },
                { key: 'useTo', title: '止', kind: 'day' },
                { key: 'claimedFen', title: '申请金额', kind: 'money' },
                { key: 'paidFen', title: '赔付金额', kind: 'money' },
              ]}
            />
          </Section>
          <Section title="保费">
            <DataTable
              rows={data.premiumLines}
              height="auto"
              empty="没有保费明细"
              columns={[
                { key: 'premiumOrderNo', title: '保费订单', width: 170 },
                { key: 'from', title: '起', kind: 'day' },
                { key: 'to', title: '止', kind: 'day' },
                { key: 'amountFen', title: '金额', kind: 'money' },
                { key: 'calc', title: '算法', width: 360 },
                { key: 'state', title: '订单状态', width: 100, value: ({ state }) => premiumMachine.dictionary.label(state) },
              ]}
            />
          </Section>
        </>
      )}
    </Drawer>
  );
}
