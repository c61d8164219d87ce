import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { routeToDoctor } from '../../../contract/calls/desks.ts';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import { groupConversation } from '../../../contract/im/ids.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from '../desk/choose.ts';
import { useDesk } from '../desk/useDesk.ts';
import { closeDialog, type RouteDoctor } from './open.ts';
import { OpeningFields, slotOf, type OpeningValues } from './OpeningFields.tsx';

interface Values extends OpeningValues {
  chiefComplaint?: string;
  remark?: string;
}

/** 转给医生: with a fee the patient gets a card to pay, without one the doctor's group opens at once. */
export function RouteDialog({
  group,
  doctor,
  onChoose,
}: {
  group: GroupRow;
  doctor: RouteDoctor;
  onChoose(id: ConversationID, mode: Mode): void;
}) {
  const desk = useDesk();
  return (
    <FormDialog<typeof routeToDoctor, Values>
      open
      title={`转给${doctor.doctorName}医生`}
      width={500}
      call={routeToDoctor}
      submitText="转给医生"
      onClose={closeDialog}
      initial={doctor.openings.length === 1 ? { openingId: doctor.openings[0]!.openingId } : {}}
      toInput={(values) => ({
        groupId: group.groupId,
        openingId: values.openingId,
        ...(slotOf(values) ? { slotAt: slotOf(values)! } : {}),
        ...(values.chiefComplaint ? { chiefComplaint: values.chiefComplaint } : {}),
        ...(values.remark ? { remark: values.remark } : {}),
      })}
      onDone={({ data }) => {
        desk.changed(group.groupId);
        if (data.groupId) onChoose(groupConversation(data.groupId), 'MEMBER');
        else toast('已向患者发送医生名片，支付后转给医生');
      }}
    >
      <p className="kq-muted">{doctor.hospitalName}</p>
      <OpeningFields doctor={doctor} />
      <Field of={routeToDoctor} name="chiefComplaint" />
      <Field of={routeToDoctor} name="remark" />
    </FormDialog>
  );
}
