import type { Instant } from '#kernel/contract/time.ts';
import type { Random } from '#kernel/server/demo/bulk.ts';

/** Name, gender, age, disease of whom the stories tell, and how many days ago it was diagnosed where the follow-up counts on it. */
export const stories: readonly (readonly [name: string, gender: 1 | 2, age: number, icd: string, diagnosed?: number])[] = [
  ['张建国', 1, 62, 'C34.901', 418],
  ['李秀兰', 2, 58, 'E11.9', 1_460],
  ['王志强', 1, 66, 'C34.901', 152],
  ['陈美玲', 2, 49, 'C50.9', 380],
  ['刘洋', 1, 41, 'I10', 700],
  ['赵国强', 1, 73, 'C61', 910],
  ['孙丽华', 2, 35, 'M05', 2_200],
  ['周小燕', 2, 28, 'L40'],
  ['吴建平', 1, 69, 'I25.1', 1_200],
  ['郑海涛', 1, 54, 'N18', 800],
  ['冯雪梅', 2, 46, 'B18'],
  ['欧阳振华', 1, 77, 'J45'],
  ['阿依古丽·买买提', 2, 44, 'E11.9'],
  ['周小宝', 1, 9, 'L20'],
  ['王志强', 1, 66, 'C34.901', 152],
  ['王秀英', 2, 57, 'C34.901'],
  ['刘志远', 1, 52, 'E11.9'],
  ['孙桂兰', 2, 64, 'I10'],
  ['何伟', 1, 45, 'I25.1'],
  ['马建军', 1, 39, 'J45'],
];
export const STORY = { zhang: 0, li: 1, wang: 2, chen: 3, ayi: 12, child: 13, wangAgain: 14, xiuying: 15 } as const;

/** First id of the demonstration; the follow-up corpus names the first twelve of these persons. */
export const FIRST_ID = 10_001;
export const PATIENTS = 1_200;
export const ACCOUNTS = 900;
const FAMILIES = 140;
export const ADULT = 18;
export const FATHER = '周建平';

/** How the second record of a person came about, which is also what the two have in common. */
type Likeness = 'MOBILE' | 'BIRTHDAY' | 'TYPO';
export interface Pair {
  from: number;
  into: number;
  like: Likeness;
  states: readonly ('MERGED' | 'UNDONE' | 'PENDING' | 'REJECTED')[];
}
const LIKE: readonly Likeness[] = ['MOBILE', 'BIRTHDAY', 'TYPO'];
/** Fourteen merges: seven records are merged, one of them for the second time, four wait, two were different persons. */
export const pairs: readonly Pair[] = [
  { from: STORY.wangAgain, into: STORY.wang, like: 'BIRTHDAY', states: ['UNDONE', 'MERGED'] },
  ...Array.from({ length: 6 }, (_, index): Pair => ({
    from: 1_150 + index,
    into: 100 + index,
    like: LIKE[index % 3]!,
    states: ['MERGED'],
  })),
  ...Array.from({ length: 4 }, (_, index): Pair => ({
    from: 1_160 + index,
    into: 120 + index,
    like: LIKE[index % 3]!,
    states: ['PENDING'],
  })),
  ...Array.from({ length: 2 }, (_, index): Pair => ({ from: 1_170 + index, into: 130 + index, like: 'BIRTHDAY', states: ['REJECTED'] })),
];

/** 860 proven, 60 refused, 12 that wait for a person, 8 that are asked; 260 nobody proved. */
export function stateOf(index: number): { real: string; state: string; deceased: boolean } {
  const real =
    index === STORY.wangAgain
      ? 'UNVERIFIED'
      : index < 861
        ? 'VERIFIED'
        : index < 921
          ? 'FAILED'
          : index < 933
            ? 'MANUAL'
            : index < 941
              ? 'PENDING'
              : 'UNVERIFIED';
  const state = index >= 600 && index < 605 ? 'FROZEN' : index >= 1190 && index < 1193 ? 'CANCELLED' : 'ACTIVE';
  return { real, state, deceased: index >= 480 && index < 486 };
}

export interface Kin {
  owner: number;
  member: number;
}
/** 140 accounts of two to four persons; the first is a child's, whose father signs for him. */
export function familiesOf(): Kin[] {
  const sizes = [1, 2, 1, 3, 2, 1] as const;
  let member = ACCOUNTS;
  return Array.from({ length: FAMILIES }, (_, at) => ({
    owner: at === 0 ? STORY.child : 15 + at,
    size: at === 0 ? 1 : sizes[at % sizes.length]!,
  })).flatMap(({ owner, size }) => Array.from({ length: size }, () => ({ owner, member: member++ })));
}

export type Bond = 'SPOUSE' | 'PARENT' | 'CHILD';
export interface DemoPerson {
  id: string;
  no: string;
  name: string;
  gender: 1 | 2;
  birthDate: string;
  age: number;
  mobile: string;
  icd: string;
  real: string;
  state: string;
  deceased: boolean;
  createdAt: Instant;
  /** Nothing of the person is younger: the day of his death or of his going, else now. */
  until: Instant;
  kin: { owner: number; bond: Bond } | null;
}

export interface Relative {
  bond: Bond;
  gender: 1 | 2;
  age: number;
}
/** Somebody whom the head of a family may have, old enough for his disease; null where nobody fits. */
export function relativeOf(
  head: { gender: 1 | 2; age: number },
  wish: { gender: 1 | 2; youngest: number },
  hasSpouse: boolean,
  random: Random,
): Relative | null {
  const other = head.gender === 1 ? 2 : 1;
  const fitting: Relative[] = [
    ...(hasSpouse || wish.gender !== other || head.age < 24
      ? []
      : [{ bond: 'SPOUSE' as const, gender: wish.gender, age: Math.max(22, head.age + random.int(-4, 3)) }]),
    ...(head.age > 64 ? [] : [{ bond: 'PARENT' as const, gender: wish.gender, age: head.age + random.int(23, 28) }]),
    ...(head.age < 46 ? [] : [{ bond: 'CHILD' as const, gender: wish.gender, age: head.age - random.int(24, 28) }]),
  ].filter(({ age }) => age >= wish.youngest);
  return fitting.length === 0 ? null : random.pick(fitting);
}
