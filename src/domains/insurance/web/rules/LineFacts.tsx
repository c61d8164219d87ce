import type { LineInput } from '../../contract/adjudication/input.ts';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { factName, NEVER_BEFORE, quantityFact, SINCE_LAST } from '../../contract/rules/variables.ts';
import { FieldFrame } from '../shared/ValueField.tsx';
import type { ClaimRulesSeen } from './seen.ts';

interface LineFactsProps {
  asks: ClaimRulesSeen['asks'];
  line: LineInput;
  onChange(facts: LineInput['facts']): void;
}

/** What the drug lists of a version ask of the past: of other claims, an empty one is not known. */
export function LineFacts({ asks, line, onChange }: LineFactsProps) {
  const facts = asks.windows.map((days) => ({ code: quantityFact(days), hint: '其他案件，未知留空' }));
  if (asks.interval) facts.push({ code: SINCE_LAST, hint: `其他案件，首次购药填${NEVER_BEFORE}` });
  return facts.map(({ code, hint }) => {
    const value = line.facts[code];
    return (
      <FieldFrame key={code} label={factName(code)}>
        <NumberInput
          aria-label={`第${line.lineNo}行${factName(code)}`}
          className="kq-wide"
          min={0}
          placeholder={hint}
          value={typeof value === 'string' ? Number(value) : null}
          onChange={(next) => {
            const { [code]: _, ...others } = line.facts;
            onChange(next === null ? others : { ...others, [code]: String(next) });
          }}
        />
      </FieldFrame>
    );
  });
}
