import { Select } from 'antd';
import { useList } from '#kernel/web/http/queries.ts';
import { queryQuestionnaireList } from '../../contract/questionnaires/calls.ts';

interface QuestionnairePickProps {
  id?: string;
  value?: string;
  onChange?(id: string): void;
}

/** One questionnaire in use. */
export function QuestionnairePick({ id, value, onChange }: QuestionnairePickProps) {
  const { rows } = useList(queryQuestionnaireList, { state: ['ENABLED'], pageSize: 200 }, { quiet: true, fresh: 30_000 });
  return (
    <Select
      {...(id && { id })}
      placeholder="请选择问卷"
      showSearch={{ optionFilterProp: 'label' }}
      value={value ?? null}
      options={(rows ?? []).map((row) => ({ value: row.id, label: row.title }))}
      onChange={(next: string | null) => next !== null && onChange?.(next)}
    />
  );
}
