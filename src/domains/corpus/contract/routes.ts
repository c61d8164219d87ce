import { declareRoutes } from '#kernel/contract/route.ts';

export const corpusRoutes = declareRoutes('corpus', [
  { path: '/wx/form', title: '问卷填写', kind: 'wechat' },
  {
    path: '/corpus',
    title: '语料库',
    trail: ['语料运营'],
    left: 'corpus',
    kind: 'tool',
    menu: '语料运营',
    permission: 'corpus.corpus.view',
  },
  {
    path: '/welcomeMessage',
    title: '欢迎语管理',
    trail: ['语料运营'],
    left: 'corpus',
    kind: 'list',
    menu: '语料运营',
    permission: 'corpus.corpus.view',
  },
  {
    path: '/taskManagement',
    title: '随访任务管理',
    trail: ['语料运营'],
    left: 'corpus',
    kind: 'list',
    menu: '语料运营',
    permission: 'corpus.task.view',
  },
]);
