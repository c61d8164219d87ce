import { todayHere } from '#kernel/web/form/today.ts';
import { Button, Checkbox, Form, Input, Select } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { yuan } from '#kernel/contract/money.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useCommand, useData, useList } from '#kernel/web/http/queries.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryMedicineApplyList } from '../../contract/calls/applies.ts';
import { queryMedicineDetail, queryMedicineList } from '../../contract/calls/medicines.ts';
import {
  addSku,
  addSkuPrice,
  changeSkuState,
  modifySku,
  querySkuList,
  querySkuPriceList,
  revokeSkuPrice,
  type PriceRow,
  type SkuRow,
} from '../../contract/calls/skus.ts';
import { priceTypes } from '../../contract/dictionaries.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { provinceName, provinces } from '../../contract/provinces.ts';
import { skuMachine } from '../../contract/states.ts';
import { skuLabels } from '../../contract/labels.ts';
import { ComingDay } from '#kernel/web/form/DayInput.tsx';
import type { PriceType } from './PriceTypePick.tsx';
import '../pharma.css';

const PriceTypePick = lazy(async () => ({ default: (await import('./PriceTypePick.tsx')).PriceTypePick }));

const refreshes = [querySkuList, querySkuPriceList, queryMedicineList, queryMedicineDetail, queryMedicineApplyList];
const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;

/** Prices of one type over time as steps; the dashed line is today, right of it lies what is to come. */
function PriceChart({ rows }: { rows: readonly PriceRow[] }) {
  const sorted = [...rows].sort((a, b) => (a.effectiveFrom < b.effectiveFrom ? -1 : 1));
  const today = day(todayHere());
  const from = Math.min(day(sorted[0]!.effectiveFrom), today);
  const to = Math.max(day(sorted.at(-1)!.effectiveFrom), today) + 30;
  const most = Math.max(...sorted.map((row) => row.priceFen)) * 1.1;
  const x = (at: number) => 50 + ((at - from) / Math.max(1, to - from)) * 640;
  const y = (fen: number) => 140 - (fen / most) * 120;
  const points = sorted.flatMap((row) => [
    [x(day(row.effectiveFrom)), y(row.priceFen)],
    [x(row.effectiveTo ? day(row.effectiveTo) + 1 : to), y(row.priceFen)],
  ]);
  return (
    <svg viewBox="0 0 700 160" className="ph-chart" role="img" aria-label="价格走势">
      <polyline points={points.map((point) => point.join(',')).join(' ')} fill="none" stroke="var(--kq-primary)" strokeWidth="2" />
      <line x1={x(today)} x2={x(today)} y1="10" y2="145" stroke="var(--kq-error)" strokeDasharray="4 3" />
      <text x={x(today) + 4} y="18" fontSize="11" fill="var(--kq-error)">
        今天
      </text>
      {sorted.map((row) => (
        <g key={row.id}>
          <circle
            cx={x(day(row.effectiveFrom))}
            cy={y(row.priceFen)}
            r="3"
            fill={row.period === 'FUTURE' ? 'var(--kq-warning)' : 'var(--kq-primary)'}
          />
          <text x={x(day(row.effectiveFrom))} y={y(row.priceFen) - 6} fontSize="11" fill="currentColor">
            {yuan(row.priceFen, true)}
          </text>
          <text x={x(day(row.effectiveFrom))} y="156" fontSize="10" fill="currentColor">
            {row.effectiveFrom}
          </text>
        </g>
      ))}
    </svg>
  );
}

type SkuValues = Omit<InputOf<typeof addSku>, 'medicineId'>;

function SkuForm({ medicineId, sku, onClose }: { medicineId: string; sku: SkuRow | null; onClose(): void }) {
  const fields = (
    <div className="ph-two">
      <Field of={addSku} name="packSpec" className="ph-full" placeholder="如 80mg*30片/盒" />
      <Field of={addSku} name="packUnits" label="包装数量（最小剂量单位）" />
      <Field of={addSku} name="unit">
        <Select placeholder="请选择" options={['盒', '支', '瓶', '袋', '台'].map((value) => ({ value, label: value }))} />
      </Field>
      <Field of={addSku} name="barcode" />
      <Field of={addSku} name="weightG" label="重量（克）" />
      <Field of={addSku} name="minQty" />
      <Field of={addSku} name="maxQtyPerOrder" />
      <Field of={addSku} name="traceable" label={false}>
        <Checkbox>有追溯码</Checkbox>
      </Field>
      <Field of={addSku} name="saleable" label={false}>
        <Checkbox>可销售</Checkbox>
      </Field>
    </div>
  );
  const shared = { open: true, onClose, refreshes, width: 640, success: '保存成功!' } as const;
  if (!sku)
    return (
      <FormDialog<typeof addSku, SkuValues>
        {...shared}
        title="新增商品"
        call={addSku}
        toInput={(values) => ({ ...values, medicineId })}
        initial={{ minQty: 1, maxQtyPerOrder: 10, traceable: true, saleable: true, unit: '盒' }}
      >
        {fields}
      </FormDialog>
    );
  return (
    <FormDialog<typeof modifySku, SkuValues>
      {...shared}
      title={`编辑商品 ${sku.goodsCode}`}
      call={modifySku}
      recordKey={sku.id}
      initial={sku}
      toInput={(values) => ({ ...values, id: sku.id, version: sku.version })}
    >
      {fields}
    </FormDialog>
  );
}

type PriceValues = Omit<InputOf<typeof addSkuPrice>, 'skuId'>;

function PriceForm({ sku, onClose }: { sku: SkuRow; onClose(): void }) {
  const [form] = Form.useForm<PriceValues>();
  const priceType = Form.useWatch('priceType', form);
  const supply = useMay()(may['price.supply']);
  const types = priceTypes.options.filter(({ value }) => value !== 'SUPPLY' || supply).map(({ value, label }) => ({ value, label }));
  return (
    <FormDialog<typeof addSkuPrice, PriceValues>
      open
      title={`新增价格 ${sku.goodsCode}`}
      width={520}
      form={form}
      call={addSkuPrice}
      initial={{ priceType: 'MARKET' }}
      toInput={(values) => ({ ...values, skuId: sku.id })}
      refreshes={refreshes}
      onClose={onClose}
      onDone={({ data }) => toast(data.applyNo ? `已提交调价申请 ${data.applyNo}，审核通过后生效` : '保存成功!')}
    >
      <Field of={addSkuPrice} name="priceType">
        <Select placeholder="请选择" options={types} />
      </Field>
      {priceType === 'REIMBURSE' && (
        <Field of={addSkuPrice} name="provinceAdcode" required>
          <Select
            placeholder="请选择"
            showSearch={{ optionFilterProp: 'label' }}
            options={provinces.map(([value, label]) => ({ value, label }))}
          />
        </Field>
      )}
      <Field of={addSkuPrice} name="priceFen" label="价格（元）">
        <MoneyInput />
      </Field>
      <Field of={addSkuPrice} name="effectiveFrom" extra="次日起生效且变动不超过10%的立即保存，其他提交审核">
        <ComingDay />
      </Field>
      <Field of={addSkuPrice} name="reason">
        <Input.TextArea rows={2} />
      </Field>
    </FormDialog>
  );
}

/** Tab 商品与价格: goods, and the prices of the chosen one. */
export function Goods({ medicineId }: { medicineId: string }) {
  const goods = useData(querySkuList, { medicineId }, { quiet: true });
  const skus = goods.data;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [type, setType] = useState<PriceType>('MARKET');
  const [form, setForm] = useState<{ kind: 'sku'; sku: SkuRow | null } | { kind: 'price'; sku: SkuRow } | null>(null);
  const holds = useMay();
  const chosen = skus?.find((sku) => sku.id === chosenId) ?? skus?.[0];
  const sees = holds(may['price.view']);
  const found = useList(
    querySkuPriceList,
    { skuId: chosen?.id ?? '0', pageSize: 999 },
    { enabled: sees && chosen !== undefined, quiet: true },
  );
  const prices = found.rows;
  const shown = useMemo(() => prices?.filter((price) => price.priceType === type), [prices, type]);
  const change = useCommand(changeSkuState, { success: '修改成功!', refreshes });
  const revoke = useCommand(revokeSkuPrice, { success: '撤销成功!', refreshes });
  return (
    <>
      <Can permission={may['medicine.edit']}>
        <Button type="primary" size="small" onClick={() => setForm({ kind: 'sku', sku: null })}>
          新增商品
        </Button>
      </Can>
      <DataTable
        rows={skus}
        error={goods.error}
        onRetry={() => void goods.refetch()}
        height="auto"
        empty="暂无商品，点击“新增商品”维护可售商品"
        onRowClick={(sku) => setChosenId(sku.id)}
        columns={[
          { key: 'goodsCode', title: '商品编码', width: 120 },
          { key: 'packSpec', title: skuLabels.packSpec, width: 160 },
          { key: 'barcode', title: skuLabels.barcode, width: 130 },
          { key: 'packUnits', title: skuLabels.packUnits, kind: 'number', width: 90 },
          { key: 'marketFen', title: '零售价（元）', kind: 'money' },
          ...(holds(may['price.supply']) ? [{ key: 'supplyFen', title: '供货价（元）', kind: 'money' as const }] : []),
          { key: 'state', title: '状态', kind: 'dict', dictionary: skuMachine.dictionary },
        ]}
        actions={[
          { label: '编辑', permission: may['medicine.edit'], act: (sku: SkuRow) => setForm({ kind: 'sku', sku }) },
          { label: '新增价格', permission: may['price.edit'], act: (sku: SkuRow) => setForm({ kind: 'price', sku }) },
          {
            label: '停售',
            permission: may['medicine.edit'],
            danger: true,
            when: (sku: SkuRow) => sku.state === 'ON',
            act: async (sku: SkuRow) => {
              const opinion = await confirmWithOpinion({
                title: '停售',
                content: `确定要停售${sku.packSpec}吗?`,
                facts: [
                  { label: '商品编码', value: sku.goodsCode },
                  { label: '包装规格', value: sku.packSpec },
                ],
                opinion: 'optional',
                danger: true,
              });
              if (opinion !== null) await change.run({ id: sku.id, version: sku.version, action: 'off', ...(opinion && { opinion }) });
            },
          },
          {
            label: '恢复可售',
            permission: may['medicine.edit'],
            when: (sku: SkuRow) => sku.state === 'OFF',
            act: (sku: SkuRow) => change.run({ id: sku.id, version: sku.version, action: 'on' }),
          },
        ]}
      />
      {sees && chosen && (
        <section className="kq-section">
          <div className="kq-row">
            <b>
              {chosen.goodsCode} {chosen.packSpec}
            </b>
            <Suspense fallback={null}>
              <PriceTypePick value={type} onChange={setType} />
            </Suspense>
          </div>
          {type !== 'REIMBURSE' && shown && shown.length > 0 && <PriceChart rows={shown} />}
          <DataTable
            rows={shown}
            error={found.error}
            onRetry={() => void found.refetch()}
            height="auto"
            empty="暂无价格"
            columns={[
              { key: 'priceFen', title: '价格（元）', kind: 'money' },
              ...(type === 'REIMBURSE'
                ? [{ key: 'province', title: '省份', value: (row: PriceRow) => provinceName(row.provinceAdcode ?? '') }]
                : []),
              { key: 'effectiveFrom', title: '生效日期', kind: 'day' },
              { key: 'effectiveTo', title: '失效日期', kind: 'day' },
              { key: 'reason', title: '调价原因', width: 200 },
              { key: 'createdName', title: '操作人', width: 100 },
              { key: 'createdAt', title: '操作时间', kind: 'time' },
            ]}
            actions={[
              {
                label: '撤销',
                permission: may['price.edit'],
                danger: true,
                when: (row: PriceRow) => row.period === 'FUTURE',
                act: async (row: PriceRow) => {
                  if (
                    await ask({
                      content: `确定要撤销${row.effectiveFrom}起的价格吗?`,
                      facts: factsIn(querySkuPriceList.output, row, ['goodsCode', 'packSpec', 'priceType', 'priceFen']),
                      danger: true,
                    })
                  )
                    await revoke.run({ id: row.id });
                },
              },
            ]}
          />
        </section>
      )}
      {form?.kind === 'sku' && <SkuForm medicineId={medicineId} sku={form.sku} onClose={() => setForm(null)} />}
      {form?.kind === 'price' && <PriceForm sku={form.sku} onClose={() => setForm(null)} />}
    </>
  );
}
