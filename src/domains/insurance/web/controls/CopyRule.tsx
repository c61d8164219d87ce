import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { copyControlRule, queryControlRuleList, type ControlRuleRow } from '../../contract/controls/rules.ts';

/** A draft of a new rule with the words of this one. */
export function CopyRule({ row, onClose }: { row: ControlRuleRow; onClose(): void }) {
  return (
    <FormDialog<typeof copyControlRule, { ruleCode: string }>
      open
      title={`复制规则 ${row.ruleName}`}
      call={copyControlRule}
      toInput={({ ruleCode }) => ({ ruleId: row.id, ruleCode })}
      refreshes={[queryControlRuleList]}
      success="添加成功!"
      onDone={({ data }) => {
        onClose();
        goTo('/controlRules', { moduleId: row.moduleId, ruleId: data.ruleId, versionId: data.versionId });
      }}
      onClose={onClose}
    >
      <Field of={copyControlRule} name="ruleCode" />
    </FormDialog>
  );
}
