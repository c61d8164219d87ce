import { Form, Modal, Select } from 'antd';
import { useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { Money } from '#kernel/web/kit/values.tsx';
import { documentPhases } from '../../contract/documents/states.ts';
import { queryProductVersionDetail, type VersionBrief } from '../../contract/products/calls.ts';
import { quoteGenders, quotePremium, quoteSocials } from '../../contract/products/listCalls.ts';

type Wish = InputOf<typeof quotePremium>;

/** What somebody's cover costs, with the way to it. */
export function QuoteDialog({ versions, onClose }: { versions: readonly VersionBrief[]; onClose(): void }) {
  const [form] = Form.useForm<Wish>();
  const [wish, setWish] = useState<Wish | null>(null);
  const versionId = Form.useWatch('productVersionId', form) ?? versions[0]!.id;
  const { data: version } = useData(queryProductVersionDetail, { productVersionId: versionId }, { quiet: true, fresh: 30_000 });
  const { data, error } = useData(
    quotePremium,
    wish ?? {
      productVersionId: '1',
      planCode: '-',
      birthDate: '2000-01-01',
      gender: 'M',
      social: 'YES',
      from: '2026-01-01',
      to: '2026-12-31',
    },
    {
      quiet: true,
      enabled: wish !== null,
    },
  );
  const of = quotePremium;
  return (
    <Modal open title="保费试算" width={560} okText="试算" cancelText="关闭" onCancel={onClose} onOk={() => form.submit()}>
      <Form<Wish>
        form={form}
        layout="vertical"
        initialValues={{ productVersionId: versions[0]!.id, gender: 'M', social: 'YES' }}
        onFinish={setWish}
      >
        <Field of={of} name="productVersionId">
          <Select
            options={versions.map((one) => ({
              value: one.id,
              label: `V${one.versionNo} ${documentPhases.label(one.phase)} ${one.effectiveFrom}起`,
            }))}
          />
        </Field>
        <Field of={of} name="planCode">
          <Select
            placeholder="请选择"
            options={(version?.document.plans ?? []).map(({ planCode, planName }) => ({ value: planCode, label: planName }))}
          />
        </Field>
        <Field of={of} name="birthDate" />
        <Field of={of} name="gender">
          <Select options={quoteGenders.map(({ value, label }) => ({ value, label }))} />
        </Field>
        <Field of={of} name="social">
          <Select options={quoteSocials.map(({ value, label }) => ({ value, label }))} />
        </Field>
        <Field of={of} name="from" />
        <Field of={of} name="to" />
      </Form>
      {error ? (
        <p className="ins-refused" role="alert">
          {failureText(error)}
        </p>
      ) : (
        data && (
          <div role="status">
            <p>
              应收保费 <Money fen={data.amountFen} unit />
            </p>
            {data.steps.map((step) => (
              <p key={step} className="kq-muted">
                {step}
              </p>
            ))}
          </div>
        )
      )}
    </Modal>
  );
}
