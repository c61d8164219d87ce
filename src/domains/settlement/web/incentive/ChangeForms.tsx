import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog, FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import {
  addIncentiveBudget,
  modifyIncentiveIntroduction,
  queryIncentiveProgramDetail,
  queryIncentiveProgramList,
  type ProgramRow,
} from '../../contract/calls/incentive.ts';

const refreshes = [queryIncentiveProgramList, queryIncentiveProgramDetail];

/** 追加预算: asked for, and there when another person has passed it. */
export function BudgetForm({ row, onClose }: { row: ProgramRow; onClose(): void }) {
  return (
    <FormDialog<typeof addIncentiveBudget, { amountFen: number; reason: string }>
      open
      title={`追加预算 ${row.programNo}`}
      call={addIncentiveBudget}
      toInput={(values) => ({ id: row.id, version: row.version, ...values })}
      refreshes={refreshes}
      success="提交成功!"
      onClose={onClose}
    >
      <Facts facts={factsIn(queryIncentiveProgramList.output, row, ['programName', 'budgetFen', 'leftFen', 'waitingFen'])} columns={2} />
      <Field of={addIncentiveBudget} name="amountFen" />
      <Field of={addIncentiveBudget} name="reason" />
    </FormDialog>
  );
}

/** 修改说明 of a programme that runs: doctors read it when another person has passed it. */
export function IntroductionForm({ row, introduction, onClose }: { row: ProgramRow; introduction: string; onClose(): void }) {
  return (
    <FormDrawer<typeof modifyIncentiveIntroduction, { introduction: string; reason: string }>
      open
      width={720}
      title={`修改激励说明 ${row.programNo}`}
      call={modifyIncentiveIntroduction}
      initial={{ introduction }}
      toInput={(values) => ({ id: row.id, version: row.version, ...values })}
      refreshes={refreshes}
      success="提交成功!"
      onClose={onClose}
    >
      <Field of={modifyIncentiveIntroduction} name="introduction">
        <TextArea rows={12} most={5_000} />
      </Field>
      <Field of={modifyIncentiveIntroduction} name="reason" />
    </FormDrawer>
  );
}
