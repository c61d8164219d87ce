import { DEFINITION_DATASETS, type Manifest, type Problem } from '../../contract/definition.ts';
import { Findings, type CheckFacts } from './facts.ts';
import { excessOf, parseDefinition } from './limits.ts';
import { Walk } from './walk.ts';

export interface Checked {
  problems: Problem[];
  manifest: Manifest;
}

/** R1: what is wrong with a definition, and what it names of datasets. The definition is small enough (`excessOf`). */
export function checkObject(definition: unknown, facts: CheckFacts): Checked {
  const found = new Findings();
  new Walk(found, facts).page(definition);
  const manifest = found.manifest();
  if (manifest.length > DEFINITION_DATASETS) found.refuse('V01', '', `最多使用${DEFINITION_DATASETS}个数据集`);
  return { problems: found.problems, manifest };
}

/** The same of a text, which may be none. */
export function checkText(text: string, facts: CheckFacts): Checked & { definition: unknown } {
  const parsed = parseDefinition(text);
  if (parsed.fault) {
    const { line, column } = parsed.fault;
    const problem: Problem = { code: 'V01', severity: 'E', pointer: '', message: `不是合法的JSON：第${line}行第${column}列`, advice: '' };
    return { problems: [problem], manifest: [], definition: null };
  }
  const excess = excessOf(text, parsed.value);
  if (excess) {
    const problem: Problem = {
      code: 'V01',
      severity: 'E',
      pointer: excess.pointer,
      message: `页面定义超出限制：${excess.what}`,
      advice: '',
    };
    return { problems: [problem], manifest: [], definition: null };
  }
  return { ...checkObject(parsed.value, facts), definition: parsed.value };
}

export const errorsOf = (problems: readonly Problem[]): number => problems.filter(({ severity }) => severity === 'E').length;
