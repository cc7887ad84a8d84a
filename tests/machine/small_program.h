#pragma once

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string>
#include <utility>
#include <vector>

namespace tune::machine {

/// A program with only a table of texts and entries that point into it: {DT_NEEDED, 0}.
inline std::string small_program(const std::string& texts,
                                 const std::vector<std::pair<std::int64_t, std::uint64_t>>& named) {
  constexpr std::uint64_t kAddress = 0x10000;  // address of the program's first byte
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  std::vector<Elf64_Dyn> entries(named.size() + 2);  // the last one is DT_NULL
  Elf64_Phdr load{}, dynamic{};
  dynamic.p_type = PT_DYNAMIC;
  dynamic.p_offset = sizeof header + 2 * sizeof(Elf64_Phdr);
  dynamic.p_filesz = entries.size() * sizeof(Elf64_Dyn);
  const std::uint64_t texts_at = dynamic.p_offset + dynamic.p_filesz;
  load.p_type = PT_LOAD;
  load.p_vaddr = kAddress;
  load.p_filesz = texts_at + texts.size();
  entries[0].d_tag = DT_STRTAB;
  entries[0].d_un.d_ptr = kAddress + texts_at;
  for (std::size_t i = 0; i < named.size(); ++i) {
    entries[i + 1].d_tag = named[i].first;
    entries[i + 1].d_un.d_val = named[i].second;
  }
  std::string bytes;
  const auto add = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  add(&header, sizeof header);
  add(&load, sizeof load);
  add(&dynamic, sizeof dynamic);
  add(entries.data(), entries.size() * sizeof(Elf64_Dyn));
  return bytes + texts;
}

}  // namespace tune::machine
