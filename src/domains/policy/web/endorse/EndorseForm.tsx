import { todayHere } from '#kernel/web/form/today.ts';
import { Alert, Drawer, Form, Select } from 'antd';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import type { InputOf } from '#kernel/contract/call.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { send } from '#kernel/web/http/client.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';
import {
  addEndorsement,
  modifyEndorsement,
  previewEndorsement,
  queryEndorsementDetail,
  queryEndorsementList,
  type EndorsementDetail,
  type EndorsementDraft,
  type EndorsementImpact,
} from '../../contract/calls/endorsements.ts';
import { queryInsuredPersonDetail, queryInsuredPersonList, type InsuredDetail } from '../../contract/calls/persons.ts';
import { queryPolicyDetail, queryPolicyList, queryPolicyTotal } from '../../contract/calls/policies.ts';
import { endorsementKinds, handKinds, type HandKind } from '../../contract/dictionaries.ts';
import { POLICY_LINE_VIEW } from '../../contract/lineView.ts';
import { POLICY_ENDORSE } from '../../contract/purposes.ts';
import type { EndorsementState } from '../../contract/states.ts';
import { attached } from '../shared/attached.ts';
import { ChangeFields } from './ChangeFields.tsx';
import { EndorsementDrawer } from './EndorsementDrawer.tsx';
import { Impact } from './Impact.tsx';
import '../shared/policy.css';

type Input = InputOf<typeof addEndorsement>;
type After = NonNullable<Input['after']>;
interface Values extends Pick<Input, 'kind' | 'effectiveOn' | 'reason' | 'insurerEndorsementNo'> {
  after?: After;
  files?: readonly UploadedFile[];
}
const PREVIEW_AFTER_MS = 500;
const WIDTH = 960;
const refreshes = [
  queryPolicyDetail,
  queryPolicyList,
  queryPolicyTotal,
  queryEndorsementList,
  queryEndorsementDetail,
  queryInsuredPersonList,
];
const labels = { effectiveOn: '生效日期', reason: '批改原因', insurerEndorsementNo: '保司批单号', after: '批改内容' };

/** Whose day is the last one that is covered. */
const dayLabel = (kind: HandKind | undefined) =>
  kind === 'REMOVE' ? '减员日（最后保障日）' : kind === 'SURRENDER' ? '退保日（最后保障日）' : '生效日期';

/** Whether there is all that a kind changes; a number that was entered before need not be entered again. */
function isWhole(kind: HandKind | undefined, after: Input['after'], draft: EndorsementDraft | null): boolean {
  const { insuredItemIds = [], person, planCode, newEnd, holder } = after ?? {};
  switch (kind) {
    case 'ADD':
      return Boolean(planCode && person?.name && (person.idNo || person.employeeNo || draft?.person?.idNo));
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

/** What was entered before, without the numbers, which are not known here. */
function afterOf({ persons, planCode, newEnd, person, holder }: EndorsementDraft): After {
  const { idNo: _idNo, mobile: _mobile, ...facts } = person ?? { idNo: null, mobile: null };
  return {
    ...(persons.length > 0 && { insuredItemIds: persons.map(({ id }) => id) }),
    ...(planCode !== null && { planCode }),
    ...(newEnd !== null && { newEnd }),
    ...('name' in facts && { person: facts }),
    ...(holder && { holder: { holderType: holder.holderType, holderName: holder.holderName } }),
  };
}

/** A draft as it comes with a conflict, for the form. */
function draftIn(current: Record<string, unknown>) {
  const { effectiveOn, reason, insurerEndorsementNo, draft } = current as EndorsementDetail;
  return { draft, values: { effectiveOn, reason, insurerEndorsementNo, ...(draft && { after: afterOf(draft) }) } };
}

/** The facts of a person, which a correction begins with. */
const factsOf = (known: InsuredDetail): After['person'] => ({
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
  mainInsuredItemId: known.mainInsuredItemId,
  preExistingIcd: known.preExistingIcd,
});

/** What would follow from what is filled in, while it is filled in. */
function usePreview(policyId: string, endorsementId: string | undefined, draft: EndorsementDraft | null) {
  const [impact, setImpact] = useState<EndorsementImpact | null>(null);
  const [why, setWhy] = useState<string | null>(null);
  const asked = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (found: EndorsementImpact | null, refusal: string | null) => {
    setImpact(found);
    setWhy(refusal);
  };
  const preview = (values: () => Pick<Values, 'kind' | 'effectiveOn' | 'after'>) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const { kind, effectiveOn, after } = values();
      const input = { policyId, kind, effectiveOn, ...(after && { after }), ...(endorsementId && { endorsementId }) };
      asked.current += 1;
      const no = asked.current;
      // Half a form is nothing to compute; what it lacks its fields say when it is handed in.
      if (!isWhole(kind, after, draft) || !z.safeParse(previewEndorsement.input, input).success) {
        show(null, null);
        return;
      }
      send(previewEndorsement, input, { quiet: true }).then(
        (found) => no === asked.current && show(found, null),
        (error: unknown) => no === asked.current && show(null, failureText(error)),
      );
    }, PREVIEW_AFTER_MS);
  };
  return { impact, why, preview };
}

interface EndorseFormProps {
  policyId: string;
  kind?: HandKind;
  /** The person whom it is about. */
  insuredItemId?: string;
  /** One that was not handed in, or rejected: it goes on. */
  draft?: EndorsementDetail & { draft: EndorsementDraft; files: readonly UploadedFile[] };
  onClose(): void;
}

/** What a form begins with could not be read. */
function NotRead({ of, onClose }: { of: readonly Pick<ReturnType<typeof useData>, 'error' | 'refetch'>[]; onClose(): void }) {
  const failed = of.find(({ error }) => error);
  if (!failed) return null;
  return (
    <Drawer open size={WIDTH} title="批改" onClose={onClose}>
      <Waiting for={failed} />
    </Drawer>
  );
}

/** 批改: kind, day, what changes; what follows from it is computed while it is filled in. */
export function EndorseForm({ policyId, kind, insuredItemId, draft, onClose }: EndorseFormProps) {
  const [form] = Form.useForm<Values>();
  const ofPolicy = useData(queryPolicyDetail, { policyId }, { quiet: true });
  const person = useData(
    queryInsuredPersonDetail,
    { insuredItemId: insuredItemId ?? '' },
    { enabled: insuredItemId !== undefined, quiet: true },
  );
  const policy = ofPolicy.data;
  const chosen = Form.useWatch('kind', form);
  const [kept, setKept] = useState(draft?.draft ?? null);
  const { impact, why, preview } = usePreview(policyId, draft?.id, kept);
  const known = person.data;
  const isShown = policy !== undefined && (insuredItemId === undefined || known !== undefined);
  const goesOn = draft !== undefined;
  const look = useRef(preview);
  look.current = preview;
  // What it begins with, not what its fields hold: they may not be there yet.
  const begun = useRef(draft && kind && { kind, effectiveOn: draft.effectiveOn, after: afterOf(draft.draft) });
  useEffect(() => {
    const values = begun.current;
    if (isShown && goesOn && values) look.current(() => values);
  }, [isShown, goesOn]);
  if (!isShown) return <NotRead of={[ofPolicy, person]} onClose={onClose} />;

  const today = todayHere();
  const initial: Partial<Values> = draft
    ? {
        ...(kind && { kind }),
        effectiveOn: draft.effectiveOn,
        reason: draft.reason,
        insurerEndorsementNo: draft.insurerEndorsementNo,
        files: draft.files,
        after: afterOf(draft.draft),
      }
    : {
        ...(kind && { kind }),
        effectiveOn: today < policy.coverageStart ? policy.coverageStart : today > policy.coverageEnd ? policy.coverageEnd : today,
        after: {
          ...(insuredItemId && { insuredItemIds: [insuredItemId] }),
          ...(known && kind === 'CORRECT' && { person: factsOf(known) }),
        },
      };
  const inputOf = ({ files, ...values }: Values, saves: boolean) => ({
    ...values,
    fileIds: (files ?? []).map(({ fileId }) => fileId),
    submit: !saves,
  });
  const done = (state: EndorsementState) => toast(state === 'PENDING_AUDIT' ? '提交成功!' : state === 'DRAFT' ? '草稿已保存' : '保存成功!');
  const rejected = draft?.state === 'REJECTED' ? draft.timeline.findLast(({ action }) => action === 'reject') : undefined;
  const shared = {
    open: true,
    title: draft ? `修改批单 ${draft.endorsementNo}` : `批改 ${policy.policyNo}`,
    width: WIDTH,
    form,
    initial,
    labels,
    onValuesChange: () => preview(() => form.getFieldsValue()),
    refreshes,
    submitText: '提交审核',
    saveText: draft?.state === 'REJECTED' ? '仅保存' : '保存草稿',
    onClose,
  };
  const fields = (
    <>
      {rejected && <Alert type="warning" showIcon title={`${rejected.displayName}驳回：${rejected.opinion ?? ''}`} />}
      <Field of={addEndorsement} name="kind">
        <Select
          disabled={kind !== undefined}
          placeholder="请选择"
          options={handKinds
            .filter((one) => one === kind || policy.allowedKinds.includes(one))
            .map((value) => ({ value, label: endorsementKinds.label(value) }))}
          onChange={() => form.setFieldValue('after', insuredItemId ? { insuredItemIds: [insuredItemId] } : {})}
        />
      </Field>
      <Field
        of={addEndorsement}
        name="effectiveOn"
        label={dayLabel(chosen)}
        extra={`保单期间 ${policy.coverageStart} 至 ${policy.coverageEnd}`}
      />
      <ChangeFields kind={chosen} policy={policy} known={known} draft={kept ?? undefined} />
      <Field of={addEndorsement} name="reason" />
      {POLICY_LINE_VIEW[policy.productLine].insurerNumbers && <Field of={addEndorsement} name="insurerEndorsementNo" />}
      <Form.Item name="files" label="附件">
        <Upload purpose={POLICY_ENDORSE} max={10} />
      </Form.Item>
      {why && <Alert type="error" showIcon title={why} />}
      {impact && <Impact impact={impact} />}
    </>
  );
  if (!draft)
    return (
      <FormDrawer<typeof addEndorsement, Values>
        {...shared}
        call={addEndorsement}
        recordKey={policyId}
        toInput={(values, saves) => ({ policyId, policyVersion: policy.version, ...inputOf(values, saves) })}
        onDone={({ data }) => done(data.state)}
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyEndorsement, Values>
      {...shared}
      call={modifyEndorsement}
      recordKey={draft.id}
      toInput={(values, saves) => ({ id: draft.id, version: draft.version, ...inputOf(values, saves) })}
      valuesOf={(current) => draftIn(current).values}
      onReload={(current) => {
        const { draft: now, values } = draftIn(current);
        form.setFieldsValue(values);
        setKept(now);
        preview(() => form.getFieldsValue());
      }}
      onDone={({ data }) => done(data.state)}
    >
      {fields}
    </FormDrawer>
  );
}

/** 修改: a draft, or what was rejected, in the form that made it. */
export function EditEndorsement({ endorsementId, onClose }: { endorsementId: string; onClose(): void }) {
  const detail = useData(queryEndorsementDetail, { endorsementId }, { quiet: true });
  const files = useData(queryFileList, { ownerType: 'policy.endorsement', ownerId: endorsementId }, { quiet: true });
  // What is written here is compared with what was read when it was opened.
  const opened = useRef(detail.data);
  opened.current ??= detail.data;
  const read = opened.current;
  if (!read || !files.data) return <NotRead of={[detail, files]} onClose={onClose} />;
  const kind = handKinds.find((one) => one === read.kind);
  // Somebody moved it on since the list was read.
  if (!read.draft || !kind) return <EndorsementDrawer row={read} onClose={onClose} />;
  const [person] = read.draft.persons;
  return (
    <EndorseForm
      policyId={read.policyId}
      kind={kind}
      draft={{
        ...read,
        draft: read.draft,
        files: attached(files.data).filter(({ fileId }) => read.fileIds.includes(fileId)),
      }}
      {...(kind === 'CORRECT' && person && { insuredItemId: person.id })}
      onClose={onClose}
    />
  );
}
