import { Button, Form, InputNumber, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { yuan } from '#kernel/contract/money.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { querySelectOptions } from '../../contract/calls/channels.ts';
import {
  addChannelVip,
  itemDiscount,
  modifyChannelVip,
  queryChannelVipDetail,
  queryChannelVipList,
  vipLabels,
  type VipRow,
} from '../../contract/calls/vips.ts';
import { vipLevels } from '../../contract/dictionaries.ts';
import { CONTRACT_PURPOSE } from '../../contract/purposes.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { RefSelect } from '../shared/RefSelect.tsx';

interface Values {
  channelId: string;
  level: VipRow['level'];
  sponsorName: string;
  discount: number;
  items?: { itemId: string; discount: number }[];
  priorityAcceptMin: number;
  deskCode?: string | null;
  patientQuota?: number | null;
  monthlyBudgetFen?: number | null;
  totalBudgetFen: number;
  startDate: string;
  endDate: string;
  contracts?: readonly UploadedFile[];
}

interface VipFormProps {
  /** Edited draft, or the row that a new one follows. */
  vip: VipRow | null;
  follows: boolean;
  channelId: string | null;
  onClose(): void;
}

const labels = { ...vipLabels, discount: '默认折扣（%）', items: '服务项目折扣' };
const bp = (percent: number) => Math.round(percent * 100);
const termsOf = (values: Values) => ({
  level: values.level,
  sponsorName: values.sponsorName,
  defaultDiscountBp: bp(values.discount),
  itemDiscounts: (values.items ?? []).map((item) => ({ itemId: item.itemId, discountBp: bp(item.discount) })),
  priorityAcceptMin: values.priorityAcceptMin,
  deskCode: values.deskCode?.trim() || null,
  patientQuota: values.patientQuota ?? null,
  monthlyBudgetFen: values.monthlyBudgetFen ?? null,
  totalBudgetFen: values.totalBudgetFen,
  startDate: values.startDate,
  endDate: values.endDate,
  contractFileIds: (values.contracts ?? []).map(({ fileId }) => fileId),
});

/** Discount of one item, with its price before and after. */
function Example({ itemId, discount }: { itemId: string | undefined; discount: number | undefined }) {
  const { data } = useData(
    querySelectOptions,
    { type: 'ITEM', ids: itemId ? [itemId] : [] },
    { enabled: itemId !== undefined, quiet: true, fresh: 60_000 },
  );
  const price = data?.[0]?.extra['priceFen'];
  if (typeof price !== 'string' || discount === undefined) return null;
  const after = (BigInt(price) * BigInt(10_000 - bp(discount)) + 5_000n) / 10_000n;
  return (
    <span className="kq-muted">
      原价 {yuan(price)} → {yuan(after)}
    </span>
  );
}

/** Drawer 新增/编辑/续期. */
export function VipForm({ vip, follows, channelId, onClose }: VipFormProps) {
  if (!vip) return <Fields vip={null} contracts={[]} follows={false} channelId={channelId} onClose={onClose} />;
  return (
    <FormRecord
      call={queryChannelVipDetail}
      input={{ id: vip.id }}
      title={follows ? `续期：${vip.channelName}` : `编辑VIP：${vip.vipNo}`}
      width={720}
      onClose={onClose}
    >
      {(detail) => <Fields vip={detail} contracts={detail.contracts} follows={follows} channelId={channelId} onClose={onClose} />}
    </FormRecord>
  );
}

const display = displayBy({ level: vipLevels });
const termValues = (vip: VipRow): Partial<Values> => ({
  channelId: vip.channelId,
  level: vip.level,
  sponsorName: vip.sponsorName,
  discount: vip.defaultDiscountBp / 100,
  items: vip.itemDiscounts.map((item) => ({ itemId: item.itemId, discount: item.discountBp / 100 })),
  priorityAcceptMin: vip.priorityAcceptMin,
  deskCode: vip.deskCode,
  patientQuota: vip.patientQuota,
  monthlyBudgetFen: vip.monthlyBudgetFen === null ? null : Number(vip.monthlyBudgetFen),
  totalBudgetFen: Number(vip.totalBudgetFen),
  startDate: vip.startDate,
  endDate: vip.endDate,
});

function Fields({ vip, contracts, follows, channelId, onClose }: VipFormProps & { contracts: readonly UploadedFile[] }) {
  const [form] = Form.useForm<Values>();
  const items = Form.useWatch('items', form);
  const start = vip && follows ? plusDays(vip.endDate >= todayHere() ? vip.endDate : plusDays(todayHere(), -1), 1) : todayHere();
  const initial: Partial<Values> = vip
    ? {
        ...termValues(vip),
        ...(follows && { startDate: start, endDate: plusDays(start, 364) }),
        contracts: follows ? [] : contracts,
      }
    : {
        ...(channelId && { channelId }),
        level: 'GOLD',
        discount: 10,
        priorityAcceptMin: 30,
        startDate: start,
        endDate: plusDays(start, 364),
      };
  const shared = { open: true, onClose, refreshes: [queryChannelVipList], form, initial, labels, width: 720 } as const;
  const fields = (
    <>
      <div className="ch-two">
        <Field of={addChannelVip} name="channelId">
          <RefSelect type="CHANNEL" disabled={vip !== null} />
        </Field>
        <Field of={addChannelVip} name="level">
          <Select placeholder="请选择" options={vipLevels.options.map(({ value, label }) => ({ value, label }))} />
        </Field>
        <Field of={addChannelVip} name="sponsorName" />
        <Form.Item label="默认折扣（减免比例）" name="discount" rules={[{ required: true, message: '请输入折扣' }]}>
          <InputNumber className="kq-wide" min={0} max={100} precision={2} suffix="%" />
        </Form.Item>
        <Field of={addChannelVip} name="priorityAcceptMin">
          <InputNumber className="kq-wide" precision={0} suffix="分钟内" />
        </Field>
        <Field of={addChannelVip} name="patientQuota" placeholder="不填为不限" />
        <Field of={addChannelVip} name="totalBudgetFen">
          <MoneyInput />
        </Field>
        <Field of={addChannelVip} name="monthlyBudgetFen">
          <MoneyInput placeholder="不填为不限" />
        </Field>
        <Field of={addChannelVip} name="startDate">
          <DayInput />
        </Field>
        <Field of={addChannelVip} name="endDate">
          <DayInput />
        </Field>
        <Field of={addChannelVip} name="deskCode" placeholder="不填为默认导诊台" />
      </div>
      <Form.List name="items">
        {(entries, { add, remove }) => (
          <Form.Item label="服务项目折扣">
            {entries.map((entry) => (
              <div key={entry.key} className="ch-two">
                <Field of={itemDiscount} name="itemId" within={[entry.name]} label={false}>
                  <RefSelect type="ITEM" placeholder="服务项目" />
                </Field>
                <Form.Item extra={<Example itemId={items?.[entry.name]?.itemId} discount={items?.[entry.name]?.discount} />}>
                  <Form.Item name={[entry.name, 'discount']} noStyle rules={[{ required: true, message: '请输入折扣' }]}>
                    <InputNumber min={0} max={100} precision={2} suffix="%" />
                  </Form.Item>
                  <Button type="link" danger onClick={() => remove(entry.name)}>
                    移除
                  </Button>
                </Form.Item>
              </div>
            ))}
            <Button type="dashed" block onClick={() => add({ discount: 10 })}>
              添加服务项目
            </Button>
          </Form.Item>
        )}
      </Form.List>
      <Form.Item label="合作协议" name="contracts" extra="提交审核前必须上传">
        <Upload purpose={CONTRACT_PURPOSE} max={10} />
      </Form.Item>
    </>
  );
  if (vip && !follows) {
    return (
      <FormDrawer<typeof modifyChannelVip, Values>
        {...shared}
        title={`编辑VIP：${vip.vipNo}`}
        call={modifyChannelVip}
        recordKey={vip.id}
        display={display}
        valuesOf={(current) => termValues(current as VipRow)}
        toInput={(values) => ({ id: vip.id, version: vip.version, ...termsOf(values) })}
        success="修改成功!"
      >
        {fields}
      </FormDrawer>
    );
  }
  return (
    <FormDrawer<typeof addChannelVip, Values>
      {...shared}
      title={vip ? `续期：${vip.channelName}` : '新增VIP渠道'}
      call={addChannelVip}
      toInput={(values) => ({ channelId: values.channelId, previousVipId: vip?.id ?? null, ...termsOf(values) })}
      success={SERVER_MESSAGE}
    >
      {fields}
    </FormDrawer>
  );
}
