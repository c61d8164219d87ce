import { declareRoutes } from '../../../kernel/contract/route.ts';
import { corpusPermissions } from './permissions.ts';

export const corpusRoutes = declareRoutes('corpus', [
  {
    path: '/corpus',
    title: '语料库',
    trail: ['语料运营'],
    left: 'corpus',
    kind: 'tool',
    menu: '语料运营',
    permission: corpusPermissions['corpus.view'].code,
  },
]);
