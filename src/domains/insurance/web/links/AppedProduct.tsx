import { Button, Form, Select } from 'antd';
import { shareGroup } from '../../contract/links/shareGroups.ts';
import { useState } from 'react';
import type { AnswerOf, InputOf } from '#kernel/contract/call.ts';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { DetailLayout, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormFrame } from '#kernel/web/form/FormFrame.tsx';
import { useFormCommand } from '#kernel/web/form/useFormCommand.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress, usePageTitle } from '#kernel/web/tabs/page.tsx';
import {
  addAppendedProduct,
  appendedFacts,
  modifyAppendedProduct,
  queryAppendableProducts,
  queryAppendedProductList,
  removeAppendedProduct,
} from '../../contract/links/calls.ts';
import { attachModes } from '../../contract/links/dictionaries.ts';
import { productPermissions as may } from '../../contract/permissions.ts';
import { queryProductList } from '../../contract/products/listCalls.ts';
import { productStates } from '../../contract/products/states.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { OptionSelect } from '../shared/OptionSelect.tsx';
import { OverflowExample } from './OverflowExample.tsx';
import './links.css';

const address = { productId: param.optional(), linkId: param.optional() };

/** /appedProduct 附加产品. */
export default function AppedProduct() {
  const [{ productId, linkId }, setAddress] = useAddress(address);
  if (!productId)
    return (
      <div className="ins-pick">
        <p>请选择主产品</p>
        <OptionSelect
          aria-label="主产品"
          type="PRODUCT"
          value={null}
          onChange={(id) => setAddress({ productId: id ?? undefined, linkId: undefined })}
        />
        <div className="kq-empty">选择主产品后，这里显示其附加产品与组合规则</div>
      </div>
    );
  return <Riders key={productId} productId={productId} linkId={linkId} onLink={(id) => setAddress({ linkId: id })} />;
}

type Seen = AnswerOf<typeof queryAppendedProductList>;
type Link = Seen['links'][number];

function Riders({ productId, linkId, onLink }: { productId: string; linkId: string | undefined; onLink(id: string | undefined): void }) {
  const query = useData(queryAppendedProductList, { mainProductId: productId }, { quiet: true });
  const { data, error, loading, refetch } = query;
  const allowed = useMay()(may['product.edit']);
  const remove = useCommand(removeAppendedProduct, {
    success: '删除成功!',
    refreshes: [queryAppendedProductList, queryAppendableProducts, queryProductList],
  });
  usePageTitle(data && `附加产品 ${data.main.productName}`);
  const edited = data?.links.find((one) => one.linkId === linkId);
  return (
    <DetailLayout
      title={data?.main.productName}
      state={data && <Dict of={productStates.dictionary} code={data.main.status} />}
      subtitle={data && [data.main.productCode, data.main.payerName, data.main.currentText].filter((text) => text !== '').join(' · ')}
      loading={loading}
      error={error}
      onRetry={() => void refetch()}
    >
      {data && (
        <>
          <Section title={`已附加的产品（${data.links.length}）`}>
            {data.links.length === 0 ? (
              <p className="kq-muted">还没有附加产品</p>
            ) : (
              <div className="ins-riders">
                {data.links.map((one) => (
                  <article key={one.linkId} className={one.linkId === linkId ? 'ins-card ins-card-on' : 'ins-card'}>
                    <h4>
                      {one.payOrder}. {one.other.productName} <Dict of={productStates.dictionary} code={one.other.status} />
                    </h4>
                    <p>
                      {attachModes.label(one.attachMode)} · {one.effectiveFrom}至{one.effectiveTo ?? '长期'}
                    </p>
                    <p>
                      {one.overflow ? '主险未赔部分续赔' : '单独赔付'}
                      {one.waiveWaiting ? ' · 豁免等待期' : ''}
                    </p>
                    {one.shareGroups.length > 0 && (
                      <p className="kq-muted">
                        共享：{one.shareGroups.map(({ mainGroup, otherGroup }) => `${mainGroup}＝${otherGroup}`).join('、')}
                      </p>
                    )}
                    <Can permission={may['product.edit']}>
                      <Button size="small" onClick={() => onLink(one.linkId)}>
                        编辑
                      </Button>{' '}
                      <Button
                        size="small"
                        danger
                        onClick={async () => {
                          if (
                            !(await confirmDelete(`附加产品“${one.other.productName}”`, [
                              one.shareGroups.length > 0 ? `${one.shareGroups.length}个共享组一并解除` : null,
                            ]))
                          )
                            return;
                          const done = await remove.run({ linkId: one.linkId, version: one.version });
                          if (done && one.linkId === linkId) onLink(undefined);
                        }}
                      >
                        解除
                      </Button>
                    </Can>
                  </article>
                ))}
              </div>
            )}
          </Section>
          {allowed && edited && (
            <EditRider key={edited.linkId} productId={productId} seen={data} edited={edited} onDone={() => onLink(undefined)} />
          )}
          {allowed && !edited && <NewRider productId={productId} seen={data} />}
        </>
      )}
    </DetailLayout>
  );
}

type Values = Omit<InputOf<typeof addAppendedProduct>, 'mainProductId'>;
const labels = labelsOf(appendedFacts.shape);
const refreshes = [queryAppendedProductList, queryAppendableProducts, queryProductList];
const cleaned = (values: Values): Values => ({ ...values, effectiveTo: values.effectiveTo ?? null, shareGroups: values.shareGroups ?? [] });

function NewRider({ productId, seen }: { productId: string; seen: Seen }) {
  const [form] = Form.useForm<Values>();
  const [again, setAgain] = useState(0);
  const command = useFormCommand<typeof addAppendedProduct, Values>({
    call: addAppendedProduct,
    form,
    toInput: (values) => ({ ...cleaned(values), mainProductId: productId }),
    refreshes,
    success: '新增成功!',
    onDone: () => setAgain((count) => count + 1),
  });
  return (
    <Section title="添加附加产品">
      <FormFrame<Values>
        form={form}
        initial={{
          attachMode: 'OPTIONAL',
          payOrder: Math.max(0, ...seen.links.map(({ payOrder }) => payOrder)) + 1,
          overflow: true,
          waiveWaiting: false,
          shareGroups: [],
        }}
        recordKey={again}
        alert={command.alert}
        disabled={command.flying}
        onSubmit={(values) => void command.submit(values)}
      >
        <RiderFields productId={productId} seen={seen} edited={undefined} />
        <Button type="primary" loading={command.flying} disabled={command.busy} onClick={() => form.submit()}>
          保存并继续添加
        </Button>
      </FormFrame>
    </Section>
  );
}

function EditRider({ productId, seen, edited, onDone }: { productId: string; seen: Seen; edited: Link; onDone(): void }) {
  const [form] = Form.useForm<Values>();
  const command = useFormCommand<typeof modifyAppendedProduct, Values>({
    call: modifyAppendedProduct,
    form,
    toInput: (values) => ({ ...cleaned(values), linkId: edited.linkId, version: edited.version }),
    labels,
    valuesOf: (current) => ({ ...current }),
    display: displayBy({ attachMode: attachModes }),
    refreshes,
    success: '保存成功!',
    onDone,
  });
  return (
    <Section title={`编辑附加产品 ${edited.other.productName}`}>
      <FormFrame<Values>
        form={form}
        initial={{
          otherProductId: edited.otherProductId,
          attachMode: edited.attachMode,
          effectiveFrom: edited.effectiveFrom,
          effectiveTo: edited.effectiveTo,
          payOrder: edited.payOrder,
          overflow: edited.overflow,
          shareGroups: edited.shareGroups,
          waiveWaiting: edited.waiveWaiting,
        }}
        recordKey={edited.linkId}
        alert={command.alert}
        disabled={command.flying}
        onSubmit={(values) => void command.submit(values)}
      >
        <RiderFields productId={productId} seen={seen} edited={edited} />
        <Button type="primary" loading={command.flying} disabled={command.busy} onClick={() => form.submit()}>
          保存
        </Button>{' '}
        <Button onClick={onDone}>取消</Button>
      </FormFrame>
    </Section>
  );
}

function RiderFields({ productId, seen, edited }: { productId: string; seen: Seen; edited: Link | undefined }) {
  const form = Form.useFormInstance<Values>();
  const found = useData(queryAppendableProducts, { mainProductId: productId }, { quiet: true });
  const products = found.data;
  const chosen = Form.useWatch('otherProductId', form);
  const overflow = Form.useWatch('overflow', form) ?? false;
  const groups = products?.find(({ id }) => id === chosen)?.groups ?? edited?.otherGroups ?? [];
  const of = addAppendedProduct;
  const options = [
    ...(products ?? []).map(({ id, productName, productCode }) => ({ value: id, label: `${productName}（${productCode}）` })),
    ...(edited && !products?.some(({ id }) => id === edited.otherProductId)
      ? [{ value: edited.otherProductId, label: `${edited.other.productName}（${edited.other.productCode}）` }]
      : []),
  ];
  const groupOptions = (list: Seen['main']['groups']) =>
    list.map(({ groupCode, groupName, text }) => ({ value: groupCode, label: `${groupName}：${text}` }));
  return (
    <>
      <div className="ins-rider-form">
        <Field of={of} name="otherProductId" extra="同一保司或出资方、且自身没有附加产品的产品">
          <Select
            showSearch={{ optionFilterProp: 'label' }}
            placeholder="请选择"
            options={options}
            notFoundContent={<NoChoices of={found} none="没有可附加的产品" />}
          />
        </Field>
        <Field of={of} name="attachMode" />
        <Field of={of} name="payOrder" />
        <Field of={of} name="effectiveFrom" />
        <Field of={of} name="effectiveTo" placeholder="长期" />
        <Field of={of} name="overflow" extra="主险未赔的部分由附加产品接着赔" />
        <Field of={of} name="waiveWaiting" />
      </div>
      <Form.List name="shareGroups">
        {(rows, { add, remove }) => (
          <>
            <p className="ins-sub">共享组映射</p>
            <p className="kq-muted">种类、周期、对象相同的共享组可合用一份额度，以主产品的金额为准。</p>
            {rows.map(({ key, name }) => (
              <div key={key} className="ins-pair">
                <Field of={shareGroup} name="mainGroup" within={[name]} label={false}>
                  <Select aria-label="主产品共享组" placeholder="主产品共享组" options={groupOptions(seen.main.groups)} />
                </Field>
                <span>＝</span>
                <Field of={shareGroup} name="otherGroup" within={[name]} label={false}>
                  <Select aria-label="附加产品共享组" placeholder="附加产品共享组" options={groupOptions(groups)} />
                </Field>
                <Button type="link" danger onClick={() => remove(name)}>
                  移除
                </Button>
              </div>
            ))}
            <Button onClick={() => add()} disabled={rows.length >= 20 || seen.main.groups.length === 0}>
              添加映射
            </Button>
          </>
        )}
      </Form.List>
      <OverflowExample overflow={overflow} />
    </>
  );
}
