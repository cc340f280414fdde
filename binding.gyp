{
  'targets': [
    {
      'target_name': 'cpromise',
      'sources': [
        'src/engine.c',
        'src/slots.c',
        'src/queue.c',
        'src/combinator.c',
        'src/timers.c',
        'src/line.c',
        'src/host_node.c',
        'src/host_uv.c',
      ],
      'include_dirs': ["<!(node -p \"try { require('node-api-headers').include_dir } catch { 'src' }\")"],
      'cflags': ['-std=c11', '-O2', '-fvisibility=hidden', '-Wall', '-Wextra'],
      'cflags!': ['-O3', '-fno-omit-frame-pointer'],
      'xcode_settings': { 'GCC_OPTIMIZATION_LEVEL': '2' },
    },
  ],
}
