import { Form, Select } from 'antd';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { Field } from '#kernel/web/form/Field.tsx';
import { birthOfIdNumber, genderOfIdNumber, isIdNumber } from '#domains/patient/contract/idNumber.ts';
import { changeFields, type EndorsementDraft } from '../../contract/calls/endorsements.ts';
import type { InsuredDetail } from '../../contract/calls/persons.ts';
import type { PolicyDetail } from '../../contract/calls/policies.ts';
import type { HandKind } from '../../contract/dictionaries.ts';
import { person } from '../../contract/persons.ts';
import { MainSelect, PersonsSelect } from './PersonSelect.tsx';

const change = z.strictObject(changeFields);
const holder = z.strictObject(changeFields.holder.def.innerType.def.shape);
const PERSON = ['after', 'person'] as const;

/** Numbers that stay as they are when they are not entered again, masked. */
const kept = (value: string | null | undefined) => (value ? `现为 ${value}，不填则不变` : undefined);

/** A person's facts; the certificate of an identity card says birth date and gender itself. */
function PersonFields({ policyId, known }: { policyId: string; known: { idNo: string | null; mobile: string | null } | undefined }) {
  const form = Form.useFormInstance();
  const relation = Form.useWatch([...PERSON, 'relation'], form);
  const idNo: unknown = Form.useWatch([...PERSON, 'idNo'], form);
  const idType = Form.useWatch([...PERSON, 'idType'], form);
  useEffect(() => {
    if (idType !== 'ID_CARD' || typeof idNo !== 'string' || !isIdNumber(idNo)) return;
    form.setFieldValue([...PERSON, 'birthDate'], birthOfIdNumber(idNo));
    form.setFieldValue([...PERSON, 'gender'], genderOfIdNumber(idNo) === 1 ? 'M' : 'F');
  }, [form, idNo, idType]);
  return (
    <div className="pol-two">
      <Field of={person} within={PERSON} name="name" />
      <Field of={person} within={PERSON} name="idType" />
      <Field of={person} within={PERSON} name="idNo" extra={kept(known?.idNo)} />
      <Field of={person} within={PERSON} name="gender" />
      <Field of={person} within={PERSON} name="birthDate" />
      <Field of={person} within={PERSON} name="mobile" extra={kept(known?.mobile)} />
      <Field of={person} within={PERSON} name="relation" />
      {relation !== undefined && relation !== 'SELF' && (
        <Field of={person} within={PERSON} name="mainInsuredItemId" required>
          <MainSelect policyId={policyId} />
        </Field>
      )}
      <Field of={person} within={PERSON} name="employeeNo" />
      <Field of={person} within={PERSON} name="department" />
      <Field of={person} within={PERSON} name="hasSocial" />
      <Field of={person} within={PERSON} name="preExistingIcd">
        <Select mode="tags" className="kq-wide" placeholder="输入ICD-10编码后回车，如 I10" open={false} suffixIcon={null} />
      </Field>
    </div>
  );
}

interface ChangeFieldsProps {
  kind: HandKind | undefined;
  policy: PolicyDetail;
  /** The person whom it is about. */
  known: InsuredDetail | undefined;
  /** What was entered before. */
  draft: EndorsementDraft | undefined;
}

/** What changes, by the kind of the endorsement. */
export function ChangeFields({ kind, policy, known, draft }: ChangeFieldsProps) {
  const form = Form.useFormInstance();
  useEffect(() => {
    if (kind !== 'ADD' || form.getFieldValue(PERSON) !== undefined) return;
    form.setFieldValue(PERSON, { idType: 'ID_CARD', relation: 'SELF', hasSocial: true, preExistingIcd: [] });
  }, [form, kind]);
  const plan = (
    <Field of={change} within={['after']} name="planCode" required>
      <Select
        placeholder="请选择"
        options={policy.plans.map(({ planCode, planName }) => ({ value: planCode, label: `${planCode} ${planName}` }))}
      />
    </Field>
  );
  const persons = (most?: number) => (
    <Field of={change} within={['after']} name="insuredItemIds" required>
      <PersonsSelect
        policyId={policy.id}
        disabled={known !== undefined}
        {...(most !== undefined && { most })}
        {...(draft && { named: draft.persons })}
      />
    </Field>
  );
  switch (kind) {
    case 'ADD':
      return (
        <>
          {plan}
          <PersonFields policyId={policy.id} known={draft?.person ?? undefined} />
        </>
      );
    case 'REMOVE':
      return persons();
    case 'PLAN':
      return (
        <>
          {persons()}
          {plan}
        </>
      );
    case 'CORRECT':
      return known ? (
        <>
          {persons(1)}
          <PersonFields
            policyId={policy.id}
            known={{ idNo: draft?.person?.idNo ?? known.idNo, mobile: draft?.person?.mobile ?? known.mobile }}
          />
        </>
      ) : (
        <p className="kq-muted">请在“被保人”页签中选择被保人，点击“更正”。</p>
      );
    case 'HOLDER':
      return (
        <>
          <Field of={holder} within={['after', 'holder']} name="holderType" />
          <Field of={holder} within={['after', 'holder']} name="holderName" />
          <Field of={holder} within={['after', 'holder']} name="holderIdNo" extra={kept(draft?.holder?.holderIdNo)} />
          <Field of={holder} within={['after', 'holder']} name="holderContact" extra={kept(draft?.holder?.holderContact)} />
        </>
      );
    case 'EXTEND':
      return <Field of={change} within={['after']} name="newEnd" required />;
    default:
      return null;
  }
}
