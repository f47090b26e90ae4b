// Texts for the tests of the lexer: ordinary ones, nasty ones and long ones.

export const documents: Record<string, string> = {
  plain: 'Hello **world**.\n\nA second paragraph with `code` and a [link](https://example.org).\nIt goes on.\n',
  headings: '# One\ntext\n## Two ##\n\nThree\n=====\n\nFour\nfive\n---\nsix\n\n---\n\n#not\n####### seven\n',
  lists:
    '- a\n- b\n  - c\n\n    d\n- e\n\n- f\n\n\n1. x\n2. y\n   ```js\n   code()\n   ```\n3. z\nlazy\n\n* * *\n* g\n+ h\n',
  tasks: '- [ ] open\n- [x] done\n  - [X] nested\n\n1. [ ] numbered\n',
  tables: 'before\n\n| a | b |\n|:--|--:|\n| 1 | `x|y` |\n| 2 |\n\nafter\n| c |\n|---|\n| d |\n- list\n',
  fences:
    '```ts\nconst a = 1\n\n# no heading\n```\n\n~~~\nopen ``` inside\n~~~\ntext\n```a`b\n\n````\n```\n````\n\n    indented\n\n    more\n\n```\nnever closed\n\nstill code\n',
  quotes: '> a\nlazy\n> - list\n> more\n\n> > nested\n> ```\n> code\n> ```\nout\n\n> ===\n',
  definitions:
    'See [one], [Two][two] and ![three][].\n\n- in a list: [one]\n\n[one]: /first "Title"\n[TWO]: <b c>\n[one]: /second\n\n> [three]: /third\n> \'a title\n> of lines\'\n\n[one] again\n',
  'a title with a blank line': '[four]\n\n[four]: /x\n"not a\n\ntitle"\n',
  footnotes: 'Said before.[^1]\n\n[^1]: Somewhere, see [there].\n\n[there]: https://example.org\n',
  html: '<div>\n<b>x</b>\n\ntext <i>y</i> <!-- c -->\n\n<!-- a\n\nb -->\n\n<script>\nalert(1)\n\n</script>\n\n</div>\n<custom-tag a="b">\n\n<?php\n\n?>\nend',
  inline:
    'a *b **c** d* ~~e~~ ~f~ `g` ``h ` i`` <https://x.y> www.z.org me@x.org \\*no\\* &amp; &#65; a_b_c  \nbreak\\\nend ![i](j "k")\n',
  windows: 'one\r\n\r\n- a\r\n- b\r\n\r\n```\r\ncode\r\n```\r\n',
  unicode: 'Größe 项目 👩‍💻 **fett**\n\n- Ünïcode\n\n| ä |\n|---|\n| 🎉 |\n',
}

/** Lines that change what stands before them, or look as if they did. */
export const nastyLines = [
  'text\n',
  'more text',
  '\n',
  '\n\n',
  '# h\n',
  '#\n',
  '#x\n',
  '===\n',
  '---\n',
  '--\n',
  '-\n',
  '- a\n',
  '-b\n',
  '  - c\n',
  '    d\n',
  '\te\n',
  '1. f\n',
  '2) g\n',
  '1.\n',
  '* * *\n',
  '*\n',
  '```\n',
  '```js\n',
  '``',
  '```a`b\n',
  '~~~\n',
  '> q\n',
  '>\n',
  '> - r\n',
  '> ```\n',
  '>> s\n',
  '| a | b |\n',
  '|---|---|\n',
  '| 1 | 2 |\n',
  'a | b\n',
  '--|--\n',
  '<div>\n',
  '</div>\n',
  '<!--\n',
  '-->\n',
  '<script>\n',
  '</script>\n',
  '<b>t</b>\n',
  '<x y="z">\n',
  '<?\n',
  '?>\n',
  '[a]: /u\n',
  '[a]:\n',
  '"t\n',
  "'t'\n",
  '(t)\n',
  '[a]\n',
  '[b][a]\n',
  '![a]\n',
  '[^1]: note\n',
  '[^1]\n',
  '- [ ] t\n',
  '- [x] u\n',
  '**s\n',
  's**\n',
  '`c',
  '  ',
  '\\\n',
  '&lt;\n',
  '    \n',
  '   > v\n',
  '  ```\n',
  '- ```\n',
  '<!',
  '[',
  ']: ',
  '- > w\n',
  '***\n',
  '___\n',
  '+ \n',
  '10. h\n',
  ':--\n',
  '|\n',
] as const

const sentence =
  'The log is the truth, and `everything` else is *made* from it; see [the notes](https://example.org/n). '
const repeat = (text: (index: number) => string, length: number) => {
  let all = ''
  for (let index = 0; all.length < length; index++) all += text(index)
  return all.slice(0, length)
}
const chapter = (index: number) =>
  `## Part ${index}\n\n${sentence.repeat(4)}\n\n- one\n- two **bold**\n  - three\n\n| a | b |\n|---|---|\n| ${index} | x |\n\n` +
  `\`\`\`ts\n${'export const value = call(1, "two")\n'.repeat(12)}\`\`\`\n\n> ${sentence}\n\n`

export const longDocument: Record<string, string> = {
  'a report': repeat(chapter, 200_000),
  'one block of code': `\`\`\`python\n${repeat((index) => `def function_${index}(): return ${index}  # why\n`, 200_000)}`,
  'one line of code': `\`\`\`json\n${repeat((index) => `{"key${index}":[1,2,3]},`, 200_000)}\n\`\`\`\n`,
  'one paragraph of lines': repeat((index) => `${index}: ${sentence}\n`, 200_000),
  'one line': repeat(() => sentence, 200_000),
  'one line without spaces': repeat(() => 'abcdefghij', 200_000),
  'one list': repeat((index) => `${index + 1}. ${sentence}\n      - detail\n`, 200_000),
  'one table': `| a | b |\n|---|---|\n${repeat((index) => `| ${index} | ${sentence} |\n`, 200_000)}`,
  'one block of HTML': `<div>\n${repeat((index) => `<p>${index}</p>\n`, 200_000)}`,
  'many definitions': repeat(
    (index) => `${sentence.repeat(4)}See [n${index}].\n\n[n${index}]: /x${index}\n\n`,
    200_000,
  ),
}
