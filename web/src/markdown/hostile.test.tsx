// @vitest-environment jsdom
// What an agent writes can never run: hostile markdown, rendered to markup, has nothing in it that a browser would execute.
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { safeLink, safePicture } from './links'
import { Markdown } from './Markdown'

const render = (text: string) =>
  new DOMParser().parseFromString(renderToStaticMarkup(<Markdown text={text} />), 'text/html').body

const hostile = [
  '<script>alert(1)</script>',
  'text <script>alert(1)</script> text',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
  '<style>@import "https://evil.example"</style>',
  '<math><mi xlink:href="javascript:alert(1)">',
  '<details open ontoggle=alert(1)>',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<base href="https://evil.example/">',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](<java\nscript:alert(1)>)',
  '[x](java&#10;script:alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](&#106;avascript&colon;alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](\u200bjavascript:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x]( javascript:alert(1) )',
  '[x](vbscript:msgbox(1))',
  '[x](vb\tscript:msgbox(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](file:///etc/passwd)',
  '[x](blob:https://example.org/1)',
  '[x](//evil.example)',
  '[x](/api/v1/sessions)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/track.png)',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)',
  '![x](data:text/html,<script>alert(1)</script>)',
  '![x" onerror="alert(1)](https://example.org/a.png)',
  '[x](https://example.org/"onmouseover="alert(1) "t")',
  '[x](https://example.org \'a" onmouseover="alert(1)\')',
  '[a]: javascript:alert(1)\n\n[a]',
  '[[x](javascript:alert(1))](javascript:alert(2))',
  '![[x](javascript:alert(1))](javascript:alert(2))',
  '**[x](javascript:alert(1))** ~~<script>alert(1)</script>~~',
  '| <img src=x onerror=alert(1)> |\n|---|\n| [x](javascript:alert(1)) |',
  '> <script>alert(1)</script>\n> [x](javascript:alert(1))',
  '- <script>alert(1)</script>\n  - [x](javascript:alert(1))',
  '```html" onload="alert(1)\n<script>alert(1)</script>\n```',
  '```"><script>alert(1)</script>\ncode\n```',
  '# <script>alert(1)</script> [x](javascript:alert(1))',
  '<!--><script>alert(1)</script>-->',
  `{{constructor.constructor("alert(1)")()}} $${'{alert(1)}'} <%= alert(1) %> #{alert(1)}`,
  '<x-y onclick=alert(1) style="background:url(javascript:alert(1))">x</x-y>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<br onclick=alert(1)>',
]

const ALLOWED = new Set(
  'a blockquote br button code del div em figcaption figure h2 h3 h4 h5 h6 hr img input li ol p path pre rect section span strong svg table tbody td th thead tr ul circle'.split(
    ' ',
  ),
)

test.each(hostile)('%j runs nothing and loads nothing', (text) => {
  for (const element of render(text).querySelectorAll('*')) {
    expect(ALLOWED).toContain(element.tagName.toLowerCase())
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^on|^srcdoc$|^action$|^formaction$|^style$|^xlink|^http-equiv$/i)
      if (name === 'href') expect(value).toMatch(/^(https?|mailto):/)
      if (name === 'src') expect(value).toMatch(/^data:image\/(png|jpeg|gif|webp|avif);base64,/)
    }
  }
})

test('HTML is shown as it was written', () => {
  expect(render('a <b>bold</b> word').textContent).toBe('a <b>bold</b> word')
  expect(render('<script>alert(1)</script>').textContent).toBe('<script>alert(1)</script>')
  expect(render('&lt;i&gt; &amp; &copy; &#65; `&lt;`').textContent).toBe('<i> & © A &lt;')
})

test('links open outside of the page, tell nothing, and only if they are http, https or mailto', () => {
  const link = render('[x](https://example.org/a?b=1&amp;c=2)').querySelector('a')
  expect(link?.getAttribute('href')).toBe('https://example.org/a?b=1&c=2')
  expect(link?.getAttribute('rel')).toBe('noreferrer noopener')
  expect(render('[x](src/main.py)').querySelector('a')).toBeNull()
  expect(render('[x](src/main.py)').textContent).toBe('x')
  expect(safeLink('mailto:a@example.org')).toBe('mailto:a@example.org')
  expect(safeLink('ftp://example.org')).toBeNull()
})

test('a picture is shown only if it came with the text and is no document', () => {
  expect(safePicture('data:image/png;base64,iVBORw0KGgo=')).not.toBeNull()
  expect(safePicture('data:image/svg+xml;base64,AAAA')).toBeNull()
  expect(safePicture('https://example.org/a.png')).toBeNull()
  expect(render('![words](https://example.org/a.png)').querySelector('a')?.textContent).toBe('words')
})

test('markdown becomes the elements that it means', () => {
  const page = render(
    '# One\n\n- [x] done\n- [ ] open\n\n| a |\n|--:|\n| 1 |\n\n1. x\n\n7) y\n\n~~z~~ [^1]\n\n[^1]: note',
  )
  expect(page.querySelector('h2')?.textContent).toBe('One')
  expect(page.querySelector('h1')).toBeNull()
  expect([...page.querySelectorAll('input')].map((box) => box.checked)).toEqual([true, false])
  expect(page.querySelector('td')?.dataset.align).toBe('right')
  expect(page.querySelectorAll('ol')[1]?.getAttribute('start')).toBe('7')
  expect(page.querySelector('del')?.textContent).toBe('z')
  expect(page.textContent).toContain('[^1]: note')
})
