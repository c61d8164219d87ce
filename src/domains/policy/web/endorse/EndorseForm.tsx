import { Alert, Form, Select } from 'antd';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { dayOf, instantOf } from '../../../../kernel/contract/time.ts';
import { Field } from '../../../../kernel/web/form/Field.tsx';
import { FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { Upload } from '../../../../kernel/web/files/Upload.tsx';
import type { UploadedFile } from '../../../../kernel/web/files/places.ts';
import { send } from '../../../../kernel/web/http/client.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { failureText } from '../../../../kernel/web/http/refusal.ts';
import { addEndorsement, previewEndorsement, queryEndorsementList, type EndorsementImpact } from '../../contract/calls/endorsements.ts';
import { queryInsuredPersonDetail, queryInsuredPersonList } from '../../contract/calls/persons.ts';
import { queryPolicyDetail, queryPolicyList, queryPolicyTotal } from '../../contract/calls/policies.ts';
import { endorsementKinds, handKinds, type HandKind } from '../../contract/dictionaries.ts';
import { POLICY_ENDORSE } from '../../contract/purposes.ts';
import { ChangeFields } from './ChangeFields.tsx';
import { Impact } from './Impact.tsx';
import '../shared/policy.css';

type Input = InputOf<typeof addEndorsement>;
interface Values extends Pick<Input, 'kind' | 'effectiveOn' | 'reason' | 'insurerEndorsementNo'> {
  after?: Input['after'];
  files?: readonly UploadedFile[];
}
const PREVIEW_AFTER_MS = 500;
const refreshes = [queryPolicyDetail, queryPolicyList, queryPolicyTotal, queryEndorsementList, queryInsuredPersonList];

/** Whose day is the last one that is covered. */
const dayLabel = (kind: HandKind | undefined) =>
  kind === 'REMOVE' ? '减员日（最后保障日）' : kind === 'SURRENDER' ? '退保日（最后保障日）' : '生效日期';

/** Whether there is all that a kind changes. */
function isWhole(kind: HandKind | undefined, after: Input['after']): boolean {
  const { insuredItemIds = [], person, planCode, newEnd, holder } = after ?? {};
  switch (kind) {
    case 'ADD':
      return Boolean(planCode && person?.name && (person.idNo || person.employeeNo));
    case 'REMOVE':
      return insuredItemIds.length > 0;
    case 'PLAN':
      return insuredItemIds.length > 0 && Boolean(planCode);
    case 'CORRECT':
      return insuredItemIds.length === 1 && person !== undefined;
    case 'HOLDER':
      return Boolean(holder?.holderName);
    case 'EXTEND':
      return Boolean(newEnd);
    default:
      return kind !== undefined;
  }
}

interface EndorseFormProps {
  policyId: string;
  kind?: HandKind;
  /** The person whom it is about. */
  insuredItemId?: string;
  onClose(): void;
}

/** 批改: kind, day, what changes; what follows from it is computed while it is filled in. */
export function EndorseForm({ policyId, kind, insuredItemId, onClose }: EndorseFormProps) {
  const [form] = Form.useForm<Values>();
  const { data: policy } = useData(queryPolicyDetail, { policyId }, { quiet: true });
  const person = useData(
    queryInsuredPersonDetail,
    { insuredItemId: insuredItemId ?? '' },
    { quiet: true, enabled: insuredItemId !== undefined },
  );
  const chosen = Form.useWatch('kind', form);
  const [impact, setImpact] = useState<EndorsementImpact | null>(null);
  const [why, setWhy] = useState<string | null>(null);
  const asked = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const preview = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const { kind: of, effectiveOn, after } = form.getFieldsValue();
      const input = { policyId, kind: of, effectiveOn, ...(after && { after }) };
      asked.current += 1;
      const no = asked.current;
      // Half a form is nothing to compute; what it lacks its fields say when it is handed in.
      if (!isWhole(of, after) || !z.safeParse(previewEndorsement.input, input).success) {
        setImpact(null);
        setWhy(null);
        return;
      }
      send(previewEndorsement, input, { quiet: true }).then(
        (found) => {
          if (no !== asked.current) return;
          setImpact(found);
          setWhy(null);
        },
        (error: unknown) => {
          if (no !== asked.current) return;
          setImpact(null);
          setWhy(failureText(error));
        },
      );
    }, PREVIEW_AFTER_MS);
  };
  if (!policy || (insuredItemId !== undefined && !person.data)) return null;
  const kinds = handKinds.filter((one) => policy.allowedKinds.includes(one));
  const today = dayOf(instantOf(Date.now()));
  const known = person.data;
  return (
    <FormDrawer<typeof addEndorsement, Values>
      open
      title={`批改 ${policy.policyNo}`}
      width={960}
      call={addEndorsement}
      form={form}
      recordKey={policyId}
      initial={{
        ...(kind && { kind }),
        effectiveOn: today < policy.coverageStart ? policy.coverageStart : today > policy.coverageEnd ? policy.coverageEnd : today,
        after: {
          ...(insuredItemId && { insuredItemIds: [insuredItemId] }),
          ...(known &&
            kind === 'CORRECT' && {
              person: {
                name: known.name,
                idType: known.idType,
                gender: known.gender,
                birthDate: known.birthDate,
                employeeNo: known.employeeNo,
                department: known.department,
                adcode: known.adcode,
                hasSocial: known.hasSocial,
                socialAdcode: known.socialAdcode,
                relation: known.relation,
                preExistingIcd: known.preExistingIcd,
              },
            }),
        },
      }}
      toInput={({ files, ...values }) => ({
        policyId,
        policyVersion: policy.version,
        ...values,
        fileIds: (files ?? []).map(({ fileId }) => fileId),
      })}
      onValuesChange={preview}
      refreshes={refreshes}
      success="提交成功!"
      submitText="提交审核"
      onClose={onClose}
    >
      <Field of={addEndorsement} name="kind">
        <Select
          disabled={kind !== undefined}
          placeholder="请选择"
          options={kinds.map((value) => ({ value, label: endorsementKinds.label(value) }))}
          onChange={() => form.setFieldValue('after', insuredItemId ? { insuredItemIds: [insuredItemId] } : {})}
        />
      </Field>
      <Field
        of={addEndorsement}
        name="effectiveOn"
        label={dayLabel(chosen)}
        extra={`保单期间 ${policy.coverageStart} 至 ${policy.coverageEnd}`}
      />
      <ChangeFields kind={chosen} policy={policy} known={known} />
      <Field of={addEndorsement} name="reason" />
      <Field of={addEndorsement} name="insurerEndorsementNo" />
      <Form.Item name="files" label="附件">
        <Upload purpose={POLICY_ENDORSE} max={10} />
      </Form.Item>
      {why && <Alert type="error" showIcon title={why} />}
      {impact && <Impact impact={impact} />}
    </FormDrawer>
  );
}
