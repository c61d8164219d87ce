import { Radio } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { queryEngineState, querySendSwitchList, resumeSend, type SwitchRow } from '../../contract/engine/engineCalls.ts';
import { queryFollowSendList } from '../../contract/engine/sendCalls.ts';
import { onResume } from '../../contract/engine/states.ts';

/** Lifts a switch; what waited is sent or left out, as chosen. */
export function ResumeDialog({ scope, onClose }: { scope: Pick<SwitchRow, 'scopeType' | 'scopeId' | 'scopeName'>; onClose(): void }) {
  return (
    <FormDialog<typeof resumeSend, { onResume: 'CATCH_UP' | 'SKIP' }>
      open
      title={`恢复发送：${scope.scopeName}`}
      call={resumeSend}
      onClose={onClose}
      toInput={(values) => ({ scopeType: scope.scopeType, scopeId: scope.scopeId, ...values })}
      refreshes={[queryEngineState, querySendSwitchList, queryFollowSendList]}
      success={SERVER_MESSAGE}
    >
      <Field of={resumeSend} name="onResume">
        <Radio.Group options={onResume.options.map(({ value, label }) => ({ value, label }))} />
      </Field>
    </FormDialog>
  );
}
