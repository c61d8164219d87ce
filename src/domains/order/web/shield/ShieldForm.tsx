import { Form, type FormInstance } from 'antd';
import { useEffect } from 'react';
import { ChannelsPicker } from '#kernel/web/kit/pickers.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import {
  addShieldGoods,
  DEFAULT_DISPLAY,
  modifyShieldGoods,
  queryShieldGoodsDetail,
  queryShieldGoodsList,
  type ShieldDetail,
} from '../../contract/calls/shield.ts';
import type { ShieldScope } from '../../contract/dictionaries.ts';
import { CitySelects, GoodsSelects, ProductCodeSelects } from '../selects.tsx';

interface Facts {
  scope: ShieldScope;
  scopeValues: string[];
  displayText: string;
  reason: string;
  effectiveFrom: string;
  effectiveTo: string | null;
}
interface NewFacts extends Facts {
  goodsCodes: string[];
}

const LABELS: Readonly<Record<Exclude<ShieldScope, 'ALL'>, string>> = { PRODUCT: '产品', REGION: '城市', CHANNEL: '渠道' };

/** The values are others where the scope is another. */
const emptied = (form: FormInstance) => (changed: object) => {
  if ('scope' in changed) form.setFieldValue('scopeValues', []);
};

function ScopeFields({ of, known }: { of: typeof addShieldGoods | typeof modifyShieldGoods; known: ShieldDetail['scopeNames'] }) {
  const scope = Form.useWatch<ShieldScope | undefined>('scope');
  return (
    <>
      <Field of={of} name="scope" />
      {scope !== undefined && scope !== 'ALL' && (
        <Field of={of} name="scopeValues" label={LABELS[scope]} starred key={scope}>
          {scope === 'PRODUCT' ? (
            <ProductCodeSelects known={known} />
          ) : scope === 'REGION' ? (
            <CitySelects />
          ) : (
            <ChannelsPicker placeholder="输入渠道名称，可多选" />
          )}
        </Field>
      )}
      <Field of={of} name="displayText" extra="代替“加入购物车”按钮显示" />
      <Field of={of} name="reason" />
      <Field of={of} name="effectiveFrom" />
      <Field of={of} name="effectiveTo" placeholder="不填为长期有效" />
    </>
  );
}
const sent = ({ scopeValues, ...facts }: Facts) => ({ ...facts, scopeValues: facts.scope === 'ALL' ? [] : [...(scopeValues ?? [])] });

/** 新增: several goods become a row each. */
export function NewShield({ onChanged, onClose }: PageWindowProps) {
  const [form] = Form.useForm<NewFacts>();
  return (
    <FormDrawer<typeof addShieldGoods, NewFacts>
      open
      title="新增隐藏加购设置"
      call={addShieldGoods}
      form={form}
      initial={{ goodsCodes: [], scopeValues: [], displayText: DEFAULT_DISPLAY, effectiveFrom: todayHere(), effectiveTo: null }}
      toInput={({ goodsCodes, ...facts }) => ({ goodsCodes, ...sent(facts) })}
      refreshes={[queryShieldGoodsList]}
      success="新增成功!"
      onValuesChange={emptied(form)}
      onDone={onChanged}
      onClose={onClose}
    >
      <Field of={addShieldGoods} name="goodsCodes" extra="每个药品生成一条设置">
        <GoodsSelects />
      </Field>
      <ScopeFields of={addShieldGoods} known={[]} />
    </FormDrawer>
  );
}

function EditShield({ row, onChanged, onClose }: Omit<PageWindowProps, 'record'> & { row: ShieldDetail }) {
  const [form] = Form.useForm<Facts>();
  const { scope, scopeValues, displayText, reason, effectiveFrom, effectiveTo } = row;
  return (
    <FormDrawer<typeof modifyShieldGoods, Facts>
      open
      title={`编辑隐藏加购设置 ${row.goodsCode}`}
      call={modifyShieldGoods}
      form={form}
      recordKey={row.id}
      initial={{ scope, scopeValues, displayText, reason, effectiveFrom, effectiveTo }}
      toInput={(facts) => ({ ...sent(facts), id: row.id, version: row.version })}
      refreshes={[queryShieldGoodsList, queryShieldGoodsDetail]}
      success="修改成功!"
      onValuesChange={emptied(form)}
      onDone={onChanged}
      onClose={onClose}
    >
      <Form.Item label="商品">
        <span>
          {row.goodsName}（{row.goodsCode}）
        </span>
      </Form.Item>
      <ScopeFields of={modifyShieldGoods} known={row.scopeNames} />
    </FormDrawer>
  );
}

/** 编辑 of the row that the page names. */
export function ShieldWindow({ record, onChanged, onClose }: PageWindowProps) {
  const { data, error } = useData(queryShieldGoodsDetail, { id: record }, { quiet: true });
  useEffect(() => {
    if (!error) return;
    toastError(failureText(error));
    onClose();
  }, [error, onClose]);
  return data ? <EditShield row={data} onChanged={onChanged} onClose={onClose} /> : null;
}
