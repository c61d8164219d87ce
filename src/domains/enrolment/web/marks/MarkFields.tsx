import { Form } from 'antd';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { useChoices } from '#kernel/web/kit/choices.ts';
import { FoundSelects } from '#kernel/web/kit/FoundSelect.tsx';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { queryProductOptions } from '#domains/insurance/contract/products/options.ts';
import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { addSpecialUser, modifySpecialUser, querySpecialUserOverlap } from '../../contract/calls/marks.ts';
import { marksWithEvidence } from '../../contract/markStates.ts';
import { MARK_EVIDENCE } from '../../contract/purposes.ts';
import { certificateFault, tidyCertificate } from '../../contract/rules/certificate.ts';
import { OtherMarks } from './OtherMarks.tsx';
import './marks.css';

type Input = InputOf<typeof addSpecialUser>;
export type MarkValues = Omit<Input, 'evidenceFileIds'> & { evidenceFileIds?: readonly UploadedFile[] };

/** Products of the HMO line; none chosen means all. */
function HmoProducts({ named, value, ...rest }: { named: readonly { value: string; label: string }[]; value?: string[] }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(
    queryProductOptions,
    { type: 'PRODUCT', productLine: ['HMO'], ...(keyword !== '' && { keyword }) },
    { fresh: 30_000, quiet: true },
  );
  const options = useChoices(
    value ?? [],
    found.data?.map((one) => ({ value: one.value, label: one.label })),
    named,
  );
  return <FoundSelects {...rest} value={value} found={found} options={options} placeholder="不选表示全部HMO产品" onSearch={search} />;
}

const isMobile = (value: unknown): value is string => typeof value === 'string' && /^1[3-9]\d{9}$/.test(value);
const isCertificate = (value: unknown): value is string => typeof value === 'string' && certificateFault(tidyCertificate(value)) === null;

/** Marks of this person and kind on these days, while the form is filled in. */
function Overlaps({ markId }: { markId: string | undefined }) {
  const form = Form.useFormInstance<MarkValues>();
  const [mobile, idNo] = [Form.useWatch('mobile', form), Form.useWatch('idNo', form)];
  const [markType, startDate, endDate] = [
    Form.useWatch('markType', form),
    Form.useWatch('startDate', form),
    Form.useWatch('endDate', form),
  ];
  const isNamed = markId !== undefined || isMobile(mobile) || isCertificate(idNo);
  const ready = isNamed && Boolean(markType && startDate && endDate && startDate <= endDate);
  const { data } = useData(
    querySpecialUserOverlap,
    {
      ...(markId !== undefined && { id: markId }),
      ...(isMobile(mobile) && { mobile }),
      ...(isCertificate(idNo) && { idNo }),
      markType: markType ?? 'TEST',
      startDate: startDate ?? '',
      endDate: endDate ?? '',
    },
    { quiet: true, enabled: ready },
  );
  if (!ready || !data || data.length === 0) return null;
  return (
    <Section title={`与${data.length}个已有标记的日期重叠，保存将被拒绝`}>
      <OtherMarks rows={data} empty="没有重叠的标记" />
    </Section>
  );
}

interface MarkFieldsProps {
  /** The mark that is edited, with its numbers as they may be seen. */
  known?: { id: string; mobileMasked: string | null; idNoMasked: string | null } | undefined;
  products?: readonly { value: string; label: string }[];
}
const kept = (masked: string | null | undefined) => (masked ? `${masked}，不改请留空` : '手机号、证件号至少填写一项');

/** 标记对象、标记内容、依据. */
export function MarkFields({ known, products = [] }: MarkFieldsProps) {
  const markType = Form.useWatch('markType', Form.useFormInstance<MarkValues>());
  // A known mark keeps the numbers that are not typed anew.
  const of = known ? modifySpecialUser : addSpecialUser;
  return (
    <>
      <Section title="标记对象">
        <div className="enr-fields">
          <Field of={of} name="name" />
          <Field of={of} name="mobile" starred={!known} placeholder={kept(known?.mobileMasked)} />
          <Field of={of} name="idNo" starred={!known} placeholder={kept(known?.idNoMasked)} />
        </div>
      </Section>
      <Section title="标记内容">
        <div className="enr-fields">
          <Field of={of} name="markType" />
          <Field of={of} name="productIds">
            <HmoProducts named={products} />
          </Field>
          <Field of={of} name="startDate" />
          <Field of={of} name="endDate" extra="有效期不超过2年" />
        </div>
        <Field of={of} name="reason">
          <TextArea rows={3} most={200} showCount />
        </Field>
        <Field of={of} name="evidenceFileIds" starred={markType !== undefined && marksWithEvidence.includes(markType)}>
          <Upload purpose={MARK_EVIDENCE} max={5} />
        </Field>
      </Section>
      <Overlaps markId={known?.id} />
    </>
  );
}
