import { Radio } from 'antd';
import { useRef, useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import {
  bindAssistant,
  queryAssistantBindHistory,
  queryAssistantList,
  queryAssistantSummary,
  queryUnboundDoctorList,
} from '../../contract/calls/assistants.ts';
import { queryDoctorDetail, queryDoctorList } from '../../contract/calls/doctors.ts';
import { bindRoles } from '../../contract/dictionaries.ts';
import { RefSelect, RefsSelect } from '../services/Selects.tsx';

interface Values {
  assistantId?: string;
  doctorIds?: string[];
  role: 'PRIMARY' | 'BACKUP';
}
interface BindDialogProps {
  /** Given: his doctors are chosen; absent: somebody is chosen for these doctors. */
  assistant?: { id: string; name: string };
  doctors?: readonly { id: string; name: string }[];
  onClose(): void;
  /** They were bound; the result may still be shown. */
  onDone?(): void;
}

const refreshes = [
  queryAssistantList,
  queryAssistantSummary,
  queryAssistantBindHistory,
  queryUnboundDoctorList,
  queryDoctorList,
  queryDoctorDetail,
];

/** Binds doctors and an assistant, with a result for each doctor. */
export function BindDialog({ assistant, doctors = [], onClose, onDone }: BindDialogProps) {
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const bound = useRef(false);
  const title = assistant ? '绑定医生' : '绑定医助';
  if (outcomes) return <BatchResult title={title} outcomes={outcomes} total={outcomes.length} running={false} onClose={onClose} />;
  return (
    <FormDialog<typeof bindAssistant, Values>
      open
      width={520}
      title={assistant ? `${title}：${assistant.name}` : `${title}：${doctors.length === 1 ? doctors[0]!.name : `${doctors.length}位医生`}`}
      call={bindAssistant}
      refreshes={refreshes}
      initial={{ role: 'PRIMARY' }}
      toInput={(values) => ({
        assistantId: assistant?.id ?? values.assistantId ?? '',
        doctorIds: assistant ? (values.doctorIds ?? []) : doctors.map(({ id }) => id),
        role: values.role,
      })}
      // The dialog closes itself after a success; its result takes its place instead.
      onDone={({ data }) => {
        bound.current = true;
        setOutcomes(data.map(({ name, ok, message }) => ({ name, ok, message })));
        onDone?.();
      }}
      onClose={() => {
        if (!bound.current) onClose();
      }}
      submitText="绑定"
    >
      {assistant ? (
        <Field of={bindAssistant} name="doctorIds" extra="最多500名">
          <RefsSelect type="DOCTOR" max={500} placeholder="按姓名、拼音或编号查找医生" />
        </Field>
      ) : (
        <Field of={bindAssistant} name="assistantId">
          <RefSelect type="ASSISTANT" placeholder="按姓名查找医助" />
        </Field>
      )}
      <Field of={bindAssistant} name="role" label="角色">
        <Radio.Group options={bindRoles.options.map(({ value, label }) => ({ value, label }))} />
      </Field>
    </FormDialog>
  );
}
